import { useBroker, useClient } from '../../../stores/use-broker.tsx';
import { failureOf } from '../../../stores/use-call.ts';
import { Button } from '../../../ui/button.tsx';
import { useToast } from '../../../ui/toast.tsx';
import { noContextCode } from '../list/use-row-actions.ts';
import styles from './cluster.module.css';

/** Where kubectl goes to the cluster: as the current context, or in a terminal. The broker's own window asks first. */
export function UseInKubectl({ cluster, addContexts }: { cluster: string; addContexts(): void }) {
  const client = useClient();
  const toast = useToast();
  const isCurrent = useBroker(({ sections: { contexts } }) => {
    const { current, contexts: known = [] } = contexts[''] ?? {};
    return known.some((context) => context.name === current && context.cluster === cluster);
  });
  const hasTerminal = useBroker(({ sections: { broker } }) => broker['']?.platform !== 'win32');
  const ask = (call: 'context.use' | 'cluster.openTerminal') => () =>
    client.call(call, { cluster }).catch((error: unknown) => {
      const failure = failureOf(error);
      if (failure.code === noContextCode) {
        addContexts();
      } else {
        toast.fail(failure);
      }
    });
  return (
    <>
      {isCurrent ? (
        <span className={styles.current}>Current context</span>
      ) : (
        <Button size="small" calls onClick={ask('context.use')}>
          Set as current context
        </Button>
      )}
      {hasTerminal && (
        <Button size="small" calls onClick={ask('cluster.openTerminal')}>
          Open terminal
        </Button>
      )}
    </>
  );
}
