import type { ClusterView } from '../../../../main/contract/ui/state.ts';
import { useAction } from '../../../stores/use-call.ts';
import { Button } from '../../../ui/button.tsx';
import { Section } from '../../../ui/page.tsx';
import { Failure } from '../../../ui/states.tsx';
import { useToast } from '../../../ui/toast.tsx';
import { closeCluster } from '../list/close-cluster.ts';
import styles from './cluster.module.css';

type Origin = NonNullable<ClusterView['origin']>;

/** In place of a form: the hub says what this cluster is, and it can only be taken out of use. */
export function OfInventory({ name, origin }: { name: string; origin: Origin }) {
  const drop = useAction('inventory.drop');
  const toast = useToast();
  const run = async () => {
    const done = await drop.run({ profiles: [origin] });
    if (done) {
      closeCluster(null);
      toast.show(`${name} removed from kubectl`, 'Add its profile again to use it.');
    }
  };
  return (
    <div className={styles.parts}>
      <Section title="From an inventory">
        <p>
          Server, CA and account follow the profile, and can’t be changed here. Each change on the hub needs
          your approval, unless the inventory is trusted.
        </p>
        {drop.failure && <Failure failure={drop.failure} />}
        <div className={styles.actions}>
          <Button size="small" busy={drop.busy} onClick={() => void run()}>
            Remove from kubectl
          </Button>
        </div>
      </Section>
    </div>
  );
}
