import type { Disposable } from '../base/disposables.ts';
import type { CallOutcome } from '../contract/doors.ts';
import type { HourOfRuns, Rotation } from '../domain/figures/plugin-objectives.ts';
import type { TargetName } from '../domain/target/target.ts';
import type { HistoryEvent } from './history.ts';
import type { HistoryFigures } from './history-figures.ts';

/** An event as it was recorded. */
export interface RecordedEvent {
  /** Grows with each event of any kind, whatever the clock says. */
  id: number;
  /** Milliseconds since 1970, by the wall clock. */
  at: number;
  event: HistoryEvent;
}

export interface HistoryQuery {
  /** Only events from then on; milliseconds since 1970. */
  since: number;
  /** Only these kinds; absent: all. */
  kinds?: readonly HistoryEvent['kind'][];
  /** Only what names this cluster. */
  cluster?: string;
  /** Only what names this target; not together with `cluster`. */
  target?: TargetName;
  /** Only what names this account. */
  account?: string;
  /** Only what is before this one, by time and then id: the last of the previous page. */
  before?: { at: number; id: number };
  /** Only events for which this returns true. */
  matching?(event: HistoryEvent): boolean;
  /** At most this many, the newest ones. */
  limit: number;
}

/** A call as it is counted. */
export interface PastCall {
  id: number;
  at: number;
  outcome: CallOutcome;
  reason: string;
  microseconds: number;
}

/** How often one program asked for one cluster. */
export interface ProgramUse {
  /** Null: the system couldn't name it. */
  executable: string | null;
  handedOut: number;
  refused: number;
  /** Milliseconds since 1970. */
  lastAt: number;
}

/**
 * Reads the history in small steps, between which callers are answered. All calls throw BrokerError where the file
 * can't be read.
 */
export interface HistoryReader extends HistoryFigures {
  /** In the order of their ids, oldest first; `cut`: the limit left out older ones. */
  events(query: HistoryQuery): Promise<{ events: RecordedEvent[]; cut: boolean }>;
  /** The next events after this id, at most a small page. */
  after(id: number): RecordedEvent[];
  lastId(): number;
  /** Called with each recorded event, while its caller still waits. It must be quick. */
  onRecorded(listener: (recorded: RecordedEvent) => void): Disposable;
  /** Programs that asked for this cluster, most frequent first. */
  programs(query: { cluster: string; since: number }): Promise<ProgramUse[]>;
  /** Runs of all wrapped plugins in the 24 hours up to `now`, in milliseconds since 1970. */
  pluginRuns(now: number): Promise<HourOfRuns[]>;
  /** Replaced certificates of all accounts, newest first, at most this many; only those whose life is known. */
  rotations(query: { since: number; limit: number }): Promise<Rotation[]>;
  /** Accounts that asked for this cluster, or were asked for with it, newest call first; at most a few. */
  accountsOf(cluster: string): string[];
  /** The last call for each of these targets (by `targetKey`) that has one, by the same key. */
  lastCalls(targets: readonly string[]): Promise<ReadonlyMap<string, RecordedEvent>>;
  /** Calls from then on, oldest first, in pages: only the fields that all calls have. */
  callsSince(since: number, page: (calls: readonly PastCall[]) => void): Promise<void>;
  /** Names of clusters in calls, and of accounts that had credentials; at most a few hundred. */
  names(what: 'account' | 'cluster'): string[];
}
