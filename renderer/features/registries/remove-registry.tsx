import { useGo } from '../../navigation/use-route.ts';
import { useClient } from '../../stores/use-broker.tsx';
import { failureOf, useAction } from '../../stores/use-call.ts';
import { Button } from '../../ui/button.tsx';
import { Section } from '../../ui/page.tsx';
import { Failure } from '../../ui/states.tsx';
import { useToast } from '../../ui/toast.tsx';
import styles from './registries.module.css';

/** Removes the registry from config.yaml. The message about it has an Undo button. */
export function RemoveRegistry({ name }: { name: string }) {
  const remove = useAction('registry.remove');
  const client = useClient();
  const toast = useToast();
  const go = useGo();
  const putBack = async (undo: string) => {
    try {
      const { held } = await client.call('registry.putBack', { undo });
      toast.show(
        `${name} is back`,
        held ? 'It has changed since: the change is pending approval.' : undefined,
      );
    } catch (error) {
      toast.fail(failureOf(error));
    }
  };
  const run = async () => {
    const done = await remove.run({ registry: name });
    if (done) {
      go('registries');
      toast.show(`${name} is removed`, 'Its account stays.', {
        label: 'Undo',
        run: () => void putBack(done.undo),
      });
    }
  };
  return (
    <Section title="Remove">
      <p className={styles.muted}>
        Its images are pulled without a credential. Its account and history are kept.
      </p>
      {remove.failure && <Failure failure={remove.failure} />}
      <div className={styles.actions}>
        <Button kind="danger" size="small" busy={remove.busy} onClick={() => void run()}>
          Remove {name}
        </Button>
      </div>
    </Section>
  );
}
