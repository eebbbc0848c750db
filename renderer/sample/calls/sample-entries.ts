import type { ConfigEntry, EntryProblem } from '../../../main/contract/ui/calls/entries.ts';
import type { SampleWorld } from '../sample-world.ts';

/** What the sample knows of the entries of one kind. */
export interface SampleEntries {
  /** Null: there is none of that name. */
  read(world: SampleWorld, name: string): ConfigEntry | null;
  check(entry: ConfigEntry): EntryProblem[];
  /** Shows it as pending, and returns how it is approved. */
  write(world: SampleWorld, name: string, entry: ConfigEntry): () => void;
  /** Returns how it is put back. */
  remove(world: SampleWorld, name: string): () => void;
}
