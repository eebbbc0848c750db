import { useClient } from '../../stores/use-broker.tsx';
import { failureOf } from '../../stores/use-call.ts';
import { useToast } from '../../ui/toast.tsx';
import type { PaletteDoes } from './entries.ts';

/** Does what was chosen, and says how it went. It goes on when the palette is closed. */
export function usePaletteActions({ onKeys }: { onKeys(): void }): (what: PaletteDoes) => Promise<void> {
  const client = useClient();
  const toast = useToast();
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
      case 'logIn': {
        toast.show(`Logging in ${what.account}`, 'The provider’s page opens in your browser.');
        const { displayName } = await client.call('account.login', { account: what.account, flow: null });
        toast.show(`Logged in as ${displayName}`);
        return;
      }
      case 'logOut':
        toast.show(
          (await client.call('account.logout', { account: what.account, everywhere: false })).message,
        );
        return;
      case 'renew':
        await client.call('cluster.renew', { cluster: what.cluster });
        toast.show(`Renewed for ${what.cluster}`);
        return;
      case 'copyLine': {
        const { line } = await client.call('cluster.kubectlLine', { cluster: what.cluster });
        await navigator.clipboard.writeText(line);
        toast.show('Copied', line);
      }
    }
  }
  return (what) => run(what).catch((error: unknown) => toast.fail(failureOf(error)));
}
