import type { ConfiguredKind } from '../../../main/contract/config/config.ts';
import { hrefOf, type ViewName } from '../../navigation/route.ts';
import { useGo } from '../../navigation/use-route.ts';
import { useClient } from '../../stores/use-broker.tsx';
import { failureOf, useAction, useCall } from '../../stores/use-call.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Failure, Loading } from '../../ui/states.tsx';
import { useToast } from '../../ui/toast.tsx';
import styles from './accounts.module.css';
import { restoredText } from './removed.tsx';
import { secretLabel } from './secrets-section.tsx';

const places = {
  cluster: 'clusters',
  registry: 'registries',
  account: 'accounts',
  inventory: 'inventories',
} as const satisfies Record<ConfiguredKind, ViewName>;

/** Removes an account, after it shows what is lost. The settings can be restored, the session and the secrets can't. */
export function RemoveAccount({ name, onClose }: { name: string; onClose(): void }) {
  const look = useCall('account.removal', { account: name });
  const remove = useAction('account.remove');
  const toast = useToast();
  const go = useGo();
  const client = useClient();
  const putBack = async () => {
    try {
      const { held } = await client.call('account.restore', { account: name });
      toast.show(...restoredText(name, held));
    } catch (error) {
      toast.fail(failureOf(error));
    }
  };
  const { value } = look;
  const users = (value?.users ?? []).flatMap(({ what, names }) =>
    names.map((user) => ({ place: places[what], user })),
  );
  const blocked = users.length > 0;
  const run = async () => {
    const output = await remove.run({ account: name });
    if (output) {
      toast.show(
        `Removed the account ${name}.`,
        undefined,
        output.canRestore ? { label: 'Undo', run: () => void putBack() } : undefined,
      );
      onClose();
      go('accounts');
    }
  };
  return (
    <Dialog
      open
      onOpenChange={(open) => open || onClose()}
      title={`Remove ${name}?`}
      size="small"
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          {!blocked && (
            <Button kind="danger" busy={remove.busy} disabled={!value} onClick={run}>
              Remove
            </Button>
          )}
        </>
      }
    >
      <div className={styles.stack}>
        {!value && !look.failure && <Loading label="Checking…" />}
        {look.failure && <Failure failure={look.failure} onRetry={look.reload} />}
        {value && blocked && (
          <>
            <p>It is still in use. Remove these first, or give them another account:</p>
            <ul className={styles.clusters}>
              {users.map(({ place, user }) => (
                <li key={`${place} ${user}`}>
                  <a href={hrefOf(place, user)} onClick={onClose}>
                    {user}
                  </a>
                </li>
              ))}
            </ul>
          </>
        )}
        {value && !blocked && (
          <>
            <p>This removes:</p>
            <ul className={styles.goes}>
              <li>its settings in config.yaml; they can be restored</li>
              {value.session && <li>the session of {value.session.subject}; it can’t be restored</li>}
              {value.secrets.map((secret) => (
                <li key={secret}>{secretLabel(secret)} in the vault; it can’t be restored</li>
              ))}
            </ul>
          </>
        )}
        {remove.failure && <Failure failure={remove.failure} />}
      </div>
    </Dialog>
  );
}
