import { Plus } from 'lucide-react';
import { addingName, hrefOf } from '../../navigation/route.ts';
import { useGo } from '../../navigation/use-route.ts';
import { Button } from '../../ui/button.tsx';
import { CommandLine } from '../../ui/command-line.tsx';
import { Page } from '../../ui/page.tsx';
import { Empty } from '../../ui/states.tsx';
import styles from './inventories.module.css';

/** What an inventory is, and how to add one. */
export function NoInventories() {
  const go = useGo();
  return (
    <Page title="Inventories">
      <Empty
        title="No inventories yet"
        text={
          <>
            An inventory lists the clusters that a platform team publishes as ClusterProfiles: on a hub, which
            is one of your <a href={hrefOf('clusters')}>clusters</a>, or in files. You choose which of them
            become contexts of kubectl.
          </>
        }
        action={
          <div className={styles.ways}>
            <Button kind="primary" icon={<Plus />} calls onClick={() => go('inventories', addingName)}>
              Add an inventory
            </Button>
            <p className={styles.muted}>Or in a terminal:</p>
            <CommandLine command="lanyard inventory add NAME --hub CLUSTER --provider PROVIDER=ACCOUNT" />
          </div>
        }
      />
    </Page>
  );
}

export function NoSuchInventory({ name }: { name: string }) {
  return (
    <Page title={name}>
      <Empty
        title={`There is no inventory named ${name}`}
        text="It was removed, or its name was changed in config.yaml."
        action={<a href={hrefOf('inventories')}>All inventories</a>}
      />
    </Page>
  );
}
