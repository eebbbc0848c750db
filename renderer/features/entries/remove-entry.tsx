import type { EntryKind } from '../../../main/contract/ui/calls/entries.ts';
import { useGo } from '../../navigation/use-route.ts';
import { Button } from '../../ui/button.tsx';
import { Section } from '../../ui/page.tsx';
import { Failure } from '../../ui/states.tsx';
import styles from './entries.module.css';
import { useRemoveEntries } from './use-remove-entries.ts';
import { viewOf } from './view-of.ts';

const means: Readonly<Record<EntryKind, string>> = {
  cluster: 'Tools can no longer use this cluster.',
  registry: 'Its images are pulled without its credential.',
  inventory: 'Its profiles in use are no longer contexts of kubectl’s.',
};

/** Removes the entry from config.yaml. The message about it has an Undo button. */
export function RemoveEntry({ kind, name }: { kind: EntryKind; name: string }) {
  const remove = useRemoveEntries(kind);
  const go = useGo();
  const run = async () => {
    if (await remove.run([name], name)) {
      go(viewOf[kind]);
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
