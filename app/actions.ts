/**
 * What a click outside the pages may do: in the tray's menu, a notification, the dock, the jump list, or the
 * arguments of a second start. Plain data, so that menus can be checked without clicking.
 */
export type Action =
  /** Opens the window, at a view: `#/clusters/prod` (renderer/shell/route.ts); null: where it was. */
  | { kind: 'show'; route: string | null }
  | { kind: 'login'; account: string }
  | { kind: 'renew'; cluster: string }
  | { kind: 'useContext'; context: string }
  | { kind: 'lock' }
  /** A dialog of the main process, by what it is open for (contract `window.open`). */
  | { kind: 'unlock' }
  | { kind: 'confirm' }
  | { kind: 'question'; id: string }
  /** `span`: milliseconds from now; null: they are told again. */
  | { kind: 'pauseNotifications'; span: number | 'untilTomorrow' | null }
  | { kind: 'quit' };

export type Act = (action: Action) => void;
