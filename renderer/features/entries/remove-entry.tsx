import type { EntryKind } from '../../../main/contract/ui/calls/entries.ts';
import { useGo } from '../../navigation/use-route.ts';
import { useClient } from '../../stores/use-broker.tsx';
import { failureOf, useAction } from '../../stores/use-call.ts';
import { Button } from '../../ui/button.tsx';
import { Section } from '../../ui/page.tsx';
import { Failure } from '../../ui/states.tsx';
import { useToast } from '../../ui/toast.tsx';
import styles from './entries.module.css';
import { viewOf } from './view-of.ts';

const means: Readonly<Record<EntryKind, string>> = {
  cluster: 'Tools can no longer use this cluster.',
  registry: 'Its images are pulled without its credential.',
  inventory: 'Its profiles in use are no longer contexts of kubectl’s.',
};

/** Removes the entry from config.yaml. The message about it has an Undo button. */
export function RemoveEntry({ kind, name }: { kind: EntryKind; name: string }) {
  const remove = useAction('entry.remove');
  const client = useClient();
  const toast = useToast();
  const go = useGo();
  const putBack = async (undo: string) => {
    try {
      const { held } = await client.call('entry.putBack', { kind, undo });
      toast.show(
        `${name} restored`,
        held ? 'It changed in the meantime: the change is pending approval.' : undefined,
      );
    } catch (error) {
      toast.fail(failureOf(error));
    }
  };
  const run = async () => {
    const done = await remove.run({ kind, name });
    if (done) {
      go(viewOf[kind]);
      toast.show(`${name} is removed`, kind === 'inventory' ? 'Its accounts stay.' : 'Its account stays.', {
        label: 'Undo',
        run: () => void putBack(done.undo),
      });
    }
  };
  return (
    <Section title="Remove">
      <p className={styles.muted}>
        {means[kind]} {kind === 'inventory' ? 'Its accounts' : 'Its account'} and history are kept.
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
