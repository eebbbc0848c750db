import { useClient } from '../../stores/use-broker.tsx';
import { failureOf, useAction } from '../../stores/use-call.ts';
import { Button } from '../../ui/button.tsx';
import { useToast } from '../../ui/toast.tsx';
import styles from './accounts.module.css';

/** What a login lacks that can't be renewed, with the button that adds it. The change is approved, and used by the next login. */
export function AddOfflineAccess({ account, scopes }: { account: string; scopes: readonly string[] }) {
  const client = useClient();
  const toast = useToast();
  const save = useAction('account.save');
  const add = async () => {
    const set = { scopes: [...scopes, 'offline_access'] };
    const output = await save.run({ name: account, isNew: false, kind: 'oidc', set, unset: [] });
    if (output?.held) {
      await client
        .call('window.open', { what: 'confirm' })
        .catch((error: unknown) => toast.fail(failureOf(error)));
    }
  };
  return (
    <>
      <p className={styles.muted}>
        Without the scope offline_access there is no refresh token: you log in each time the token expires.
        After you add it, log in again.
      </p>
      <Button size="small" busy={save.busy} onClick={add}>
        Add offline_access
      </Button>
      {save.failure && <p role="alert">{save.failure.message}</p>}
    </>
  );
}
