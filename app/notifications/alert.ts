import type { NotificationSettings } from '../../main/contract/config/config.ts';
import type { UiState } from '../../main/contract/ui/state.ts';
import type { Action } from '../actions.ts';

/** The switches of config.yaml `notifications`. */
export type Switch = keyof NotificationSettings;

/** Something that stands now, and that a person may be told of. */
export interface Alert {
  /** The same for the same thing, in every state that has it: `login corp`. Names alone. */
  key: string;
  switch: Switch;
  title: string;
  body: string;
  /** Where a click leads. */
  action: Action;
  /** It is told when it has stood for so long; not there: at once. */
  patienceMilliseconds?: number | undefined;
  /** The person has it before them already, most likely: without a sound. */
  isQuiet?: boolean | undefined;
}

/** What news are read from. */
export type Seen = Pick<UiState, 'accounts' | 'clusters' | 'held' | 'imports' | 'lock' | 'questions'>;
