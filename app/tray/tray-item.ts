import type { Action } from '../actions.ts';

/** A line of the tray's menu, as plain data. */
export type TrayItem =
  | { kind: 'separator' }
  /** Only text. */
  | { kind: 'heading'; label: string }
  | { kind: 'action'; label: string; action: Action }
  /** One of several, of which one is chosen. */
  | { kind: 'choice'; label: string; chosen: boolean; action: Action }
  | { kind: 'submenu'; label: string; items: readonly TrayItem[] };
