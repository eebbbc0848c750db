import { useState } from 'react';
import type { CallOutput } from '../../../main/contract/ui/calls/index.ts';
import { sentence } from '../../../main/contract/ui/sentence.ts';
import { useAction } from '../../stores/use-call.ts';
import { Button } from '../../ui/button.tsx';
import { Section } from '../../ui/page.tsx';
import { Failure } from '../../ui/states.tsx';
import { clockText, useNow } from '../../ui/time/index.ts';
import styles from './registries.module.css';

type Answer = CallOutput<'registry.test'>;

/** Tests whether the account has a credential for the registry. The registry itself is not contacted. */
export function TestRegistry({ name }: { name: string }) {
  const action = useAction('registry.test');
  const [answer, setAnswer] = useState<Answer | null>(null);
  return (
    <Section title="Test">
      <p className={styles.muted}>
        Checks whether the account has a credential for this registry now. The registry is not contacted: it
        may still reject it.
      </p>
      <div className={styles.stack} aria-live="polite">
        {action.failure ? <Failure failure={action.failure} /> : answer && <Result answer={answer} />}
      </div>
      <div className={styles.actions}>
        <Button
          size="small"
          busy={action.busy}
          onClick={() => void action.run({ registry: name }).then(setAnswer)}
        >
          {answer ? 'Test again' : 'Test'}
        </Button>
      </div>
    </Section>
  );
}

function Result({ answer: { credential, nothing, notForKubelets } }: { answer: Answer }) {
  const now = useNow(60_000);
  return (
    <>
      {credential && (
        <p>
          A credential for the user name <span className="mono">{credential.userName}</span>
          {credential.expiresAt === null
            ? ', which never expires.'
            : `, valid until ${clockText(credential.expiresAt, now)}.`}
        </p>
      )}
      {nothing && (
        <div className={styles.problem}>
          <p>{sentence(nothing.message)}</p>
          {nothing.hint && <p className={styles.muted}>{sentence(nothing.hint)}</p>}
        </div>
      )}
      {notForKubelets !== null && <p className={styles.warning}>Not for kubelets: {notForKubelets}.</p>}
    </>
  );
}
