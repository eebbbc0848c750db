import type { SourceTrouble } from './source-fault.ts';

/** How an inventory stands to where its profiles come from. */
export interface InventoryState {
  /**
   * `starting`: nothing is known yet. `live`: what is known is in step. `stale`: it is what was known when it last was.
   */
  kind: 'starting' | 'live' | 'stale';
  /** When it was last in step with all of its source, wall clock, milliseconds since 1970; null: never. */
  lastSyncAt: number | null;
  /** How long ago that was, in milliseconds, also over a change of the wall clock; null: never. */
  lagMilliseconds: number | null;
  /** What is wrong, the gravest; null: nothing is. Also `live` ones may have one, such as `overQuota`. */
  trouble: SourceTrouble | null;
  /** Since when it isn’t in step, with one fault or another, wall clock, milliseconds since 1970; null: it is. */
  troubleSince: number | null;
  /** In which version a hub serves its profiles, such as v1alpha2; null: it wasn’t listed yet, or there are files. */
  servedVersion: string | null;
  /** When the source is asked again, wall clock, milliseconds since 1970; null: it isn't waited for. */
  retryAt: number | null;
}

/** An object of a source that is no profile, or one that is left out. */
export interface ProfileProblem {
  /** Null: it states none that can be read. */
  namespace: string | null;
  name: string | null;
  /** In words that continue its name. */
  text: string;
}
