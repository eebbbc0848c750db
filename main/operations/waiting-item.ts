import type { ProfileOrigin } from '../domain/loaded-config.ts';
import type { Waiting } from './confirm.ts';

/** One change as the user is shown it: `cluster prod (changed)`, and the lines of its difference. */
export interface WaitingText {
  title: string;
  /** Why it deserves a second look. */
  risks: string[];
  lines: string[];
  /** Of profiles that have changed in the same way: their names, some in each line. */
  names?: string[];
}

/** What is approved or left as one: a change, or changes of profiles that say the same. */
export interface WaitingItem {
  text: WaitingText;
  part: Pick<Waiting, 'changes' | 'held'>;
  /** The profile of a cluster that is one; of several, one of them. Null: it is of config.yaml. */
  origin: ProfileOrigin | null;
}
