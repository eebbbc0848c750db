import { type WindowKindsDeps, windowFor } from '../../../consent/windows/window-kinds.ts';
import type { Windows } from '../../../consent/windows/windows.ts';
import { refusalError } from '../../../contract/broker-error.ts';
import { whatWaits } from '../../../operations/confirm.ts';
import { waitingTexts } from '../../../operations/waiting-items.ts';
import type { UiHandlers } from '../handlers.ts';
import { fittingTexts } from './fitting-texts.ts';

export interface ConfirmingCallsDeps extends WindowKindsDeps {
  windows: Pick<Windows, 'open'>;
}

/** Opens the broker’s own windows for a page, which only learns that one is open. */
export function createConfirmingCalls(
  deps: ConfirmingCallsDeps,
): Pick<UiHandlers, 'confirm.list' | 'window.open'> {
  return {
    'confirm.list': async () => {
      const locked = deps.gate();
      if (locked) {
        throw refusalError(locked);
      }
      return { changes: fittingTexts(waitingTexts(await whatWaits(deps, null))), command: 'lanyard confirm' };
    },
    'window.open': async (wanted) => {
      const { kind, command } = await windowFor(wanted, deps);
      await deps.windows.open(kind, command);
      return {};
    },
  };
}
