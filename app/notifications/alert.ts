import type { NotificationSettings } from '../../main/contract/config/settings.ts';
import type { UiState } from '../../main/contract/ui/state.ts';
import type { Action } from '../actions.ts';

/** The switches of config.yaml `notifications`. */
export type Switch = keyof NotificationSettings;

/** A present state that a notification may tell the user about. */
export interface Alert {
  /** Identifies the alert in every state that has it: `login corp`. Contains only names. */
  key: string;
  switch: Switch;
  title: string;
  body: string;
  /** The action of a click on the notification. */
  action: Action;
  /** How long the state must last before the user is told. Undefined: no wait. */
  patienceMilliseconds?: number | undefined;
  /** Without a sound, because the user most likely sees it already. */
  isQuiet?: boolean | undefined;
}

/** The parts of the state that alerts come from. */
export type Seen = Pick<
  UiState,
  'accounts' | 'clusters' | 'held' | 'imports' | 'inventories' | 'lock' | 'questions' | 'registries'
>;
