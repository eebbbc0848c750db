import { silenceWindow } from '../../../consent/windows/kinds/silence.ts';
import type { Windows } from '../../../consent/windows/windows.ts';
import { BrokerError } from '../../../contract/broker-error.ts';
import { spanText } from '../../../contract/ui/time-texts.ts';
import type { Desktop } from '../../../ports/desktop.ts';
import type { UiHandlers } from '../handlers.ts';
import { openOrElse } from './open-or-else.ts';

type DesktopCalls =
  | 'desktop.setStartAtLogin'
  | 'desktop.pauseNotifications'
  | 'desktop.checkForUpdate'
  | 'desktop.fetchUpdate'
  | 'desktop.installUpdate'
  | 'desktop.chooseFiles';

/** What pages may do with the desktop app around the broker. */
export function createDesktopCalls(deps: {
  desktop: Desktop | null;
  windows: Pick<Windows, 'open'>;
}): Pick<UiHandlers, DesktopCalls> {
  const desktop = () => {
    if (!deps.desktop) {
      throw new BrokerError('desktop.none', 'Lanyard runs without the desktop app here', { reason: 'usage' });
    }
    return deps.desktop;
  };
  return {
    'desktop.setStartAtLogin': async ({ on }) => {
      await desktop().setStartAtLogin(on);
      return {};
    },
    'desktop.pauseNotifications': async ({ minutes }, { isOwn }) => {
      const app = desktop();
      if (minutes === null || isOwn) {
        app.pauseNotifications(minutes === null ? null : minutes * 60_000);
        return { asks: false };
      }
      const before = app.view().notificationsPausedUntil;
      const wanted = {
        title: 'Pause notifications',
        heading: `Pause notifications for ${spanText(minutes * 60_000)}?`,
        text: 'Lanyard doesn’t tell you of logins, approvals and failures until then.',
        yes: 'Pause',
        isCurrent: () => app.view().notificationsPausedUntil === before,
        apply: async () => app.pauseNotifications(minutes * 60_000),
      };
      await openOrElse(deps.windows, silenceWindow(wanted), 'use the menu of the tray');
      return { asks: true };
    },
    'desktop.checkForUpdate': async (_, { signal }) => {
      await desktop().checkForUpdate(signal);
      return {};
    },
    'desktop.fetchUpdate': async (_, { signal }) => {
      await desktop().fetchUpdate(signal);
      return {};
    },
    'desktop.installUpdate': async () => {
      await desktop().installUpdate();
      return {};
    },
    'desktop.chooseFiles': async () => ({ files: [...(await desktop().chooseFiles())] }),
  };
}
