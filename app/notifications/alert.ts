import type { NotificationSettings } from '../../main/contract/config/config.ts';
import type { UiState } from '../../main/contract/ui/state.ts';
import type { Action } from '../actions.ts';

/** The switches of config.yaml `notifications`. */
export type Switch = keyof NotificationSettings;

/** A present state that the user may be told of. */
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
  /** The user most likely sees it already: without a sound. */
  isQuiet?: boolean | undefined;
}

/** What news are read from. */
export type Seen = Pick<UiState, 'accounts' | 'clusters' | 'held' | 'imports' | 'lock' | 'questions'>;
