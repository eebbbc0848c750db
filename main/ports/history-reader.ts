import type { Disposable } from '../base/disposables.ts';
import type { HourOfRuns, Rotation } from '../domain/figures/plugin-objectives.ts';
import type { HistoryEvent } from './history.ts';
import type { HistoryFigures } from './history-figures.ts';

/** An event as it was recorded. */
export interface RecordedEvent {
  /** Grows with each event of any kind, however the clock was set. */
  id: number;
  /** Milliseconds since 1970, as the wall clock said. */
  at: number;
  event: HistoryEvent;
}

export interface HistoryQuery {
  /** Only events from then on; milliseconds since 1970. */
  since: number;
  /** Only these kinds; all without it. */
  kinds?: readonly HistoryEvent['kind'][];
  /** Only what names this cluster. */
  cluster?: string;
  /** Only what names this account. */
  account?: string;
  /** Only what comes before this one, by time and then id: the last of the page before. */
  before?: { at: number; id: number };
  /** Only what this says yes to. */
  matching?(event: HistoryEvent): boolean;
  /** The newest ones, this many at most. */
  limit: number;
}

/** A call as it is counted. */
export interface PastCall {
  id: number;
  at: number;
  outcome: 'handedOut' | 'refused';
  reason: string;
  microseconds: number;
}

/** How often one program asked for one cluster. */
export interface ProgramUse {
  /** Null: the system couldn't tell. */
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
  /** In the order of their ids, oldest first; `cut`: there are older ones that the limit left out. */
  events(query: HistoryQuery): Promise<{ events: RecordedEvent[]; cut: boolean }>;
  /** The next events after this id, a small page at most. */
  after(id: number): RecordedEvent[];
  lastId(): number;
  /** Called with each event that was recorded, while its caller still waits. It must be quick. */
  onRecorded(listener: (recorded: RecordedEvent) => void): Disposable;
  /** Who asked for this cluster, most often first. */
  programs(query: { cluster: string; since: number }): Promise<ProgramUse[]>;
  /** Runs of all wrapped plugins in the 24 hours up to `now`, in milliseconds since 1970. */
  pluginRuns(now: number): Promise<HourOfRuns[]>;
  /** Certificates that were replaced, of all accounts, newest first, this many at most; those whose life is known. */
  rotations(query: { since: number; limit: number }): Promise<Rotation[]>;
  /** Accounts that asked for, or were asked for with this cluster, newest call first; at most a few. */
  accountsOf(cluster: string): string[];
  /** The last call for each of these clusters that has one. */
  lastCalls(clusters: readonly string[]): Promise<ReadonlyMap<string, RecordedEvent>>;
  /** Calls from then on, oldest first, in pages: what they have in common with all calls. */
  callsSince(since: number, page: (calls: readonly PastCall[]) => void): Promise<void>;
  /** Names of clusters that calls name, of accounts that had credentials; a few hundred at most. */
  names(what: 'account' | 'cluster'): string[];
}
