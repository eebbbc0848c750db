import { useClient } from '../../stores/use-broker.tsx';
import { failureOf } from '../../stores/use-call.ts';
import { copyText } from '../../ui/copy-text.ts';
import { showRenewed } from '../../ui/show-renewed.ts';
import { useToast } from '../../ui/toast.tsx';
import { noContextCode } from '../clusters/list/use-row-actions.ts';
import { useLogin } from '../login/use-login.ts';
import type { PaletteDoes } from './entries.ts';

/** Runs the chosen action, and reports the result. It continues after the palette closes. */
export function usePaletteActions({ onKeys }: { onKeys(): void }): (what: PaletteDoes) => Promise<void> {
  const client = useClient();
  const toast = useToast();
  const login = useLogin();
  async function run(what: PaletteDoes): Promise<void> {
    switch (what.does) {
      case 'go':
        window.location.hash = what.href;
        return;
      case 'keys':
        onKeys();
        return;
      case 'lock':
        await client.call('lock.close', {});
        return;
      case 'logIn':
        login.open(what.account);
        return;
      case 'logOut':
        login.openLogout(what.account);
        return;
      case 'theme':
        await client.call('settings.set', { name: 'appearance', value: { theme: what.theme } });
        return;
      case 'renew': {
        const { renewed } = await client.call('cluster.renew', { cluster: what.cluster });
        showRenewed(toast, what.cluster, renewed);
        return;
      }
      case 'sync': {
        const { fault } = await client.call('inventory.sync', { inventory: what.inventory });
        if (fault === null) {
          toast.show(`${what.inventory} is in sync`);
        } else {
          toast.fail({ message: `could not sync ${what.inventory}: ${fault}` });
        }
        return;
      }
      case 'useContext':
        await client.call('context.use', { cluster: what.cluster });
        return;
      case 'openTerminal':
        await client.call('cluster.openTerminal', { cluster: what.cluster });
        return;
      case 'copyLine': {
        const { line } = await client.call('cluster.kubectlLine', { cluster: what.cluster });
        await copyText(line);
        toast.show('Copied', line);
      }
    }
  }
  const fail = (error: unknown) => toast.fail(failureOf(error));
  return (what) =>
    run(what).catch((error: unknown) => {
      if (failureOf(error).code === noContextCode) {
        client.call('window.open', { what: 'contexts' }).catch(fail);
      } else {
        fail(error);
      }
    });
}
