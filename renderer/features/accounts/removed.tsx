import { Undo2 } from 'lucide-react';
import { useBroker } from '../../stores/use-broker.tsx';
import { useAction, useCall } from '../../stores/use-call.ts';
import { Button } from '../../ui/button.tsx';
import { Failure } from '../../ui/states.tsx';
import { useToast } from '../../ui/toast.tsx';
import styles from './accounts.module.css';

/** What a message says of a restored account. `held`: it is pending. */
export function restoredText(account: string, held: boolean): [text: string, detail: string | undefined] {
  return [
    `Restored ${account} to config.yaml.`,
    held
      ? 'Nothing is issued for it until you approve it. Its session and secrets did not come back.'
      : undefined,
  ];
}

/**
 * Accounts that were removed lately. Restored settings are pending until they are approved. Sessions and secrets
 * can't be restored.
 */
export function Removed() {
  const version = useBroker((state) => state.version);
  const removed = useCall('account.restorable', {}, { refreshOn: version });
  const restore = useAction('account.restore');
  const toast = useToast();
  const names = removed.value?.accounts ?? [];
  if (names.length === 0) {
    return null;
  }
  const undo = async (account: string) => {
    const output = await restore.run({ account });
    if (output) {
      toast.show(...restoredText(account, output.held));
    }
  };
  return (
    <section className={styles.removed} aria-label="Removed lately">
      {names.map((name) => (
        <div key={name} className={styles.ways}>
          <span className={styles.muted}>{name} was removed.</span>
          <Button size="small" icon={<Undo2 />} busy={restore.busy} onClick={() => void undo(name)}>
            Restore {name}
          </Button>
        </div>
      ))}
      {restore.failure && <Failure failure={restore.failure} />}
    </section>
  );
}
