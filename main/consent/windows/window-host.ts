import type { Disposable } from '../../base/disposables.ts';
import type { WindowFlow } from './window-flow.ts';

/** Where the broker's own windows are shown: the user's browser, or dialogs of the desktop app. */
export interface WindowHost extends Disposable {
  /** Something can be shown here now. */
  available(): boolean;
  /** Every Yes is given in these windows, and in no page: no page can cover them, or pass them off as another's. */
  readonly decidesAll: boolean;
  /** Shows a window, and passes its answers to its flow. False: it couldn't be shown. */
  show(flow: WindowFlow): Promise<boolean>;
}
