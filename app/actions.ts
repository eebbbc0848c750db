/**
 * The actions that a click outside the pages can start: in the tray's menu, a notification, the dock, the jump list,
 * or the arguments of a second start. Plain data, so that tests can check menus without clicking.
 */
export type Action =
  /**
   * Opens the window at a view, such as `#/clusters/prod` (renderer/shell/route.ts). Null: at the view where it was.
   */
  | { kind: 'show'; route: string | null }
  | { kind: 'login'; account: string }
  | { kind: 'renew'; cluster: string }
  | { kind: 'useContext'; context: string }
  | { kind: 'lock' }
  /** A dialog of the main process, by its purpose (contract `window.open`). */
  | { kind: 'unlock' }
  | { kind: 'confirm' }
  | { kind: 'question'; id: string }
  /** `span`: milliseconds from now; null: notifications are shown again. */
  | { kind: 'pauseNotifications'; span: number | 'untilTomorrow' | null }
  | { kind: 'quit' };

export type Act = (action: Action) => void;
