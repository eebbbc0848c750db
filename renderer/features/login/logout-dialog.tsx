import { useState } from 'react';
import { counted } from '../../../main/contract/ui/count-text.ts';
import type { AccountView } from '../../../main/contract/ui/state.ts';
import { useBroker } from '../../stores/use-broker.tsx';
import { useAction } from '../../stores/use-call.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Checkbox } from '../../ui/field.tsx';
import { Failure } from '../../ui/states.tsx';
import { useToast } from '../../ui/toast.tsx';
import styles from './login.module.css';
import { hostOf } from './safe-address.ts';

/** Logs one account out, after it shows what is lost. */
export function LogoutDialog({ account, onClose }: { account: string; onClose(): void }) {
  const toast = useToast();
  const view = useBroker((state) => state.sections.accounts[account] ?? null);
  const [everywhere, setEverywhere] = useState(false);
  const logout = useAction('account.logout');
  const host = view?.issuer ? hostOf(view.issuer) : 'the provider';
  const isToken = view?.kind === 'pkcs11';
  const served = view ? [...view.clusters, ...view.registries] : [];
  const run = async () => {
    const output = await logout.run({ account, everywhere });
    if (output) {
      toast.show(output.message);
      onClose();
    }
  };
  return (
    <Dialog
      open
      onOpenChange={(open) => open || onClose()}
      title={`Log out of ${account}`}
      size="small"
      footer={
        <>
          <Button onClick={onClose}>Stay logged in</Button>
          <Button kind="danger" busy={logout.busy} onClick={run}>
            Log out
          </Button>
        </>
      }
    >
      <div className={styles.body}>
        {isToken ? (
          <p>Lanyard forgets the PIN, and closes the token.</p>
        ) : (
          <p>
            {view?.subject ?? 'The user'} will be logged out. The tokens are removed from the vault, and{' '}
            {host} is asked to revoke them.
          </p>
        )}
        {served.length > 0 && (
          <p className={styles.muted}>
            {served.length === 1 ? `${served[0]} needs` : `${servedText(view)} need`} a new login after that.
          </p>
        )}
        {!isToken && (
          <Checkbox
            checked={everywhere}
            onCheckedChange={setEverywhere}
            label="Also log out of the provider in the browser"
            hint={`Opens the logout page of ${host}, if it has one.`}
          />
        )}
        {logout.failure && <Failure failure={logout.failure} />}
      </div>
    </Dialog>
  );
}

/** `2 clusters`, `1 registry`, or both. */
function servedText(view: AccountView | null): string {
  const [clusters, registries] = [view?.clusters.length ?? 0, view?.registries.length ?? 0];
  return [
    ...(clusters > 0 ? [counted(clusters, 'cluster')] : []),
    ...(registries > 0 ? [counted(registries, 'registry')] : []),
  ].join(' and ');
}
