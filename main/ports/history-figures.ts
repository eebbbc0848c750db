import type { CallClass } from '../contract/doors.ts';
import type { HistoryEvent } from './history.ts';

/** A span of time in milliseconds since 1970, from `since` (inclusive) to `until` (exclusive). */
export interface Span {
  since: number;
  until: number;
}

type Generation = Extract<HistoryEvent, { kind: 'generation' }>;

/** The life of a credential, or of several that followed each other without a visible gap. */
export interface LaneSegment {
  /** When the broker first had it. */
  from: number;
  /**
   * When it expired, or when the next one or a logout replaced it; null: it never expires. May be later than the
   * span's end.
   */
  until: number | null;
  /** It is the current one, as far as the history shows. */
  current: boolean;
  /** Why it is new; of several: the last. */
  why: Generation['why'];
  credential: Generation['credential'];
  /** Its generation, counted from 1 at each start of the broker; of several: the last. */
  generation: number;
  /** Credentials that are drawn as one. */
  count: number;
}

/** What happened at one moment, or several events within one step of a long span. */
export interface LaneMark {
  /** Of several: the last. */
  at: number;
  /**
   * `rejected`: the cluster answered 401 when it was probed; `doubted`: a 401 was inferred, and the cluster accepted
   * the credential or couldn't be probed.
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
  /** Maximum number of segments, and of marks of one kind. */
  most: number;
}

/** Calls of one cluster, of one account, of both, or of all. */
export interface CallsQuery extends Span {
  cluster?: string | undefined;
  account?: string | undefined;
  /** Steps of equal length; a step of an hour or longer is rounded to full hours, so there may be fewer. */
  steps: number;
}

/** Calls of one step: `counts` by class and reason, without zeros. */
export interface CallsStep extends Span {
  counts: { class: CallClass; reason: string; calls: number }[];
}

/** How long answers took in one step, where only the caller waited for them. */
export interface AnswersStep extends Span {
  answers: number;
  /** Microseconds, right to within `answerErrorShare`; null: no answer. */
  p50: number | null;
  p90: number | null;
  p99: number | null;
}

/** One program that asked for a cluster. */
export interface ProgramCalls {
  /** Null: the system couldn't name it. */
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
  /** Without zeros, most frequent first. `answered`: it gave a credential. */
  counts: {
    callStatus: Extract<HistoryEvent, { kind: 'pluginRun' }>['callStatus'];
    exitCode: number;
    answered: boolean;
    runs: number;
  }[];
}

/** Certificates by their age when they were replaced; each in the first bucket that it fits; null: none does. */
export interface RotationAges {
  buckets: { upToSeconds: number | null; rotations: number }[];
}

/** The history's figures, for drawing. Reads in small steps, between which callers are answered. */
export interface HistoryFigures {
  lane(query: LaneQuery): Promise<Lane>;
  callsOverTime(query: CallsQuery): Promise<CallsStep[]>;
  answerTimes(query: CallsQuery): Promise<AnswersStep[]>;
  /** Most frequent first. */
  askers(query: Span & { cluster: string }): Promise<ProgramCalls[]>;
  runsOverTime(query: PluginFiguresQuery & { steps: number }): Promise<RunsStep[]>;
  rotationAges(query: PluginFiguresQuery & { bucketSeconds: readonly number[] }): Promise<RotationAges>;
}
