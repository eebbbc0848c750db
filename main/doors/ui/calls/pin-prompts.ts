import { type PinWindowDeps, pinWindow } from '../../../consent/windows/kinds/pin.ts';
import { windowMilliseconds } from '../../../consent/windows/window-flow.ts';
import type { Windows } from '../../../consent/windows/windows.ts';
import type { CallProgress } from '../../../contract/ui/calls/index.ts';
import type { PinQuestion } from '../../../ports/pin-question.ts';

export interface PinPromptsDeps extends PinWindowDeps {
  windows: Pick<Windows, 'open'>;
}

/** Asks for a token’s PIN where no page sees it. */
export type PinPrompt = (account: string, asked: PinQuestion) => Promise<CallProgress<'account.login'>>;

/** As long as a token’s pad is waited for. */
const padSeconds = 60;

/**
 * What a page shows of the question, once the window for it is open: one window, however many pages wait for the login.
 * Rejects with BrokerError where none can be opened.
 */
export function createPinPrompts(deps: PinPromptsDeps): PinPrompt {
  const opened = new WeakMap<PinQuestion, Promise<void>>();
  return async (account, asked) => {
    const { token, tries, atPad } = asked;
    if (!atPad) {
      const window =
        opened.get(asked) ?? deps.windows.open(pinWindow(deps, account, asked), `lanyard login ${account}`);
      opened.set(asked, window);
      await window;
    }
    const expiresInSeconds = atPad ? padSeconds : windowMilliseconds / 1000;
    return { shows: 'pin', token, tries, atPad, expiresInSeconds };
  };
}
