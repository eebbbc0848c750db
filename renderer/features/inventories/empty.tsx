import { hrefOf } from '../../navigation/route.ts';
import { CommandLine } from '../../ui/command-line.tsx';
import { Page } from '../../ui/page.tsx';
import { Empty } from '../../ui/states.tsx';
import styles from './inventories.module.css';

/** What an inventory is, and how to add one. */
export function NoInventories() {
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
          <div className={styles.stack}>
            <CommandLine command="lanyard inventory add NAME --hub CLUSTER --provider PROVIDER=ACCOUNT" />
          </div>
        }
      />
    </Page>
  );
}
