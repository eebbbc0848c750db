import { useBroker, useClient } from '../../stores/use-broker.tsx';
import { failureOf } from '../../stores/use-call.ts';
import { Button } from '../../ui/button.tsx';
import { CommandLine } from '../../ui/command-line.tsx';
import { Section } from '../../ui/page.tsx';
import { useToast } from '../../ui/toast.tsx';
import styles from './settings.module.css';

/** How kubectl finds Lanyard’s clusters. It is changed in Lanyard’s own window: a page may not agree to it. */
export function KubectlContexts() {
  const client = useClient();
  const toast = useToast();
  const kubectl = useBroker(({ sections: { contexts } }) => contexts['']?.kubectl);
  if (!kubectl) {
    return null;
  }
  const { way, file, fault, isSeen } = kubectl;
  return (
    <Section title="Contexts for kubectl">
      <p className={styles.text}>
        {way === 'file' && fault === null && (
          <>
            Lanyard adds a context for each approved cluster to <code>{file}</code>.
          </>
        )}
        {way === 'file' && fault !== null && (
          <>
            No contexts are added: <code>{file}</code> {fault}.
          </>
        )}
        {way === 'own' && (
          <>
            Contexts are in Lanyard’s own kubeconfig, <code>{file}</code>.
          </>
        )}
        {(way === null || way === 'none') && 'Lanyard doesn’t add contexts to your kubeconfigs.'}
      </p>
      {way === 'own' && !isSeen && (
        <>
          <p className={styles.text}>
            Add it to KUBECONFIG with this line, in your shell and its startup file:
          </p>
          <CommandLine command='eval "$(lanyard env)"' />
        </>
      )}
      <div className={styles.row}>
        <Button
          calls
          onClick={() =>
            client
              .call('window.open', { what: 'contexts' })
              .catch((error: unknown) => toast.fail(failureOf(error)))
          }
        >
          {way === 'file' && fault === null ? 'Remove contexts' : 'Add contexts'}
        </Button>
      </div>
    </Section>
  );
}
