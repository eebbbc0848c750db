import { useBroker, useClient } from '../../../stores/use-broker.tsx';
import { failureOf } from '../../../stores/use-call.ts';
import { Button } from '../../../ui/button.tsx';
import { useToast } from '../../../ui/toast.tsx';
import styles from './cluster.module.css';

/** Makes the cluster’s context kubectl’s current one, as the broker’s own window asks; or says that it is. */
export function UseInKubectl({ cluster }: { cluster: string }) {
  const client = useClient();
  const toast = useToast();
  const isCurrent = useBroker(({ sections: { contexts } }) => {
    const { current, contexts: known = [] } = contexts[''] ?? {};
    return known.some((context) => context.name === current && context.cluster === cluster);
  });
  if (isCurrent) {
    return <span className={styles.current}>Current context</span>;
  }
  const use = () =>
    client.call('context.use', { cluster }).catch((error: unknown) => toast.fail(failureOf(error)));
  return (
    <Button size="small" onClick={use}>
      Set as current context
    </Button>
  );
}
