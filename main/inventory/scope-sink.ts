import type { ReadProfile } from '../domain/inventory/read-profile.ts';
import type { SourceTrouble } from './source-fault.ts';

/** A list that is being read. What it brings counts at once; what it doesn't, only when it is complete. */
export interface Listing {
  put(read: ReadProfile): void;
  /**
   * All is read: what is known and was not listed is removed. `emptied`: nothing is, for more than half of what is known
   * was not listed; a second such list, `emptiedMilliseconds` later or more, is believed.
   */
  complete(): 'taken' | 'emptied';
  /** It broke off: nothing is removed. */
  abandon(): void;
}

/** Where one part of a source puts what it hears: a namespace of a hub, a whole hub, all files. */
export interface ScopeSink {
  beginListing(): Listing;
  put(read: ReadProfile): void;
  remove(namespace: string, name: string): void;
  /** In which version the hub serves profiles. */
  served(version: string): void;
  /** What is known is in step with the source, as of now. */
  heard(): void;
  /** It is in step no more. `retryAt`: wall clock, milliseconds since 1970; null: as soon as something changes. */
  failed(trouble: SourceTrouble, retryAt: number | null): void;
}
