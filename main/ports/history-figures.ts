import type { CallClass } from '../domain/figures/call-class.ts';
import type { HistoryEvent } from './history.ts';

/** A span of time, in milliseconds since 1970: `since` belongs to it, `until` doesn't. */
export interface Span {
  since: number;
  until: number;
}

type Generation = Extract<HistoryEvent, { kind: 'generation' }>;

/** A credential's time, or that of several that followed each other without a gap a person could see. */
export interface LaneSegment {
  /** When the broker had it first. */
  from: number;
  /** Its end, or when the next one or a logout took its place; null: it has no end. May be later than the span's. */
  until: number | null;
  /** It is the one held now, as far as the history tells. */
  current: boolean;
  /** Why it was come by; of several: the last. */
  why: Generation['why'];
  credential: Generation['credential'];
  /** Which of its grant's credentials it was, from 1 on each time the broker started; of several: the last. */
  generation: number;
  /** Credentials that are drawn as one. */
  count: number;
}

/** What happened at one moment, or several times within one step of a long span. */
export interface LaneMark {
  /** Of several: the last. */
  at: number;
  /**
   * `rejected`: the cluster said 401 when it was asked; `doubted`: a 401 was inferred, and the cluster accepted the
   * credential or couldn't be asked.
   */
  kind: 'rejected' | 'doubted' | 'renewalFailed' | 'loggedIn' | 'loginFailed' | 'loggedOut';
  /** The code of a failure; of several: the last one's. */
  code: string | null;
  count: number;
}

export interface Lane {
  segments: LaneSegment[];
  marks: LaneMark[];
}

export interface LaneQuery extends Span {
  account: string;
  audience: string | null;
  cluster: string;
  /** Milliseconds since 1970. */
  now: number;
  /** Segments at most, and marks of one kind. */
  most: number;
}

/** Calls of one cluster, of one account, of both, or all. */
export interface CallsQuery extends Span {
  cluster?: string | undefined;
  account?: string | undefined;
  /** Steps of equal length; whole hours where a step is an hour or longer, so they may be fewer. */
  steps: number;
}

/** Calls of one step: `counts` by class and reason, none of them 0. */
export interface CallsStep extends Span {
  counts: { class: CallClass; reason: string; calls: number }[];
}

/** How long answers took that were waited for by nobody but the caller, in one step. */
export interface AnswersStep extends Span {
  answers: number;
  /** Microseconds, right to within `answerErrorShare`; null: no answer. */
  p50: number | null;
  p90: number | null;
  p99: number | null;
}

/** One program that asked for a cluster. */
export interface ProgramCalls {
  /** Null: the system couldn't tell. */
  executable: string | null;
  calls: number;
  refused: number;
  lastAt: number;
}

/** Of one wrapped plugin, of one cluster, of both, or of all. */
export interface PluginFiguresQuery extends Span {
  account?: string | undefined;
  cluster?: string | undefined;
}

export interface RunsStep extends Span {
  /** None of them 0, most often first. `answered`: it gave a credential. */
  counts: {
    callStatus: Extract<HistoryEvent, { kind: 'pluginRun' }>['callStatus'];
    exitCode: number;
    answered: boolean;
    runs: number;
  }[];
}

/** Certificates by their age when others took their place; each in the first bucket that it fits; null: none does. */
export interface RotationAges {
  buckets: { upToSeconds: number | null; rotations: number }[];
}

/** What is drawn of the history. Reads in small steps, between which callers are answered. */
export interface HistoryFigures {
  lane(query: LaneQuery): Promise<Lane>;
  callsOverTime(query: CallsQuery): Promise<CallsStep[]>;
  answerTimes(query: CallsQuery): Promise<AnswersStep[]>;
  /** Most often first. */
  askers(query: Span & { cluster: string }): Promise<ProgramCalls[]>;
  runsOverTime(query: PluginFiguresQuery & { steps: number }): Promise<RunsStep[]>;
  rotationAges(query: PluginFiguresQuery & { bucketSeconds: readonly number[] }): Promise<RotationAges>;
}
