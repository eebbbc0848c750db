import { BrokerError } from '../../../contract/broker-error.ts';
import type { Desktop } from '../../../ports/desktop.ts';
import type { UiHandlers } from '../handlers.ts';

type DesktopCalls =
  | 'desktop.setStartAtLogin'
  | 'desktop.pauseNotifications'
  | 'desktop.checkForUpdate'
  | 'desktop.fetchUpdate'
  | 'desktop.installUpdate';

/** What pages do with the desktop app around the broker. */
export function createDesktopCalls(deps: { desktop: Desktop | null }): Pick<UiHandlers, DesktopCalls> {
  const desktop = () => {
    if (!deps.desktop) {
      throw new BrokerError('desktop.none', 'this broker runs without the desktop app', { reason: 'usage' });
    }
    return deps.desktop;
  };
  return {
    'desktop.setStartAtLogin': async ({ on }) => {
      await desktop().setStartAtLogin(on);
      return {};
    },
    'desktop.pauseNotifications': async ({ minutes }) => {
      desktop().pauseNotifications(minutes === null ? null : minutes * 60_000);
      return {};
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
  };
}
