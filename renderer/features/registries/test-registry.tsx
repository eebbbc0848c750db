import { type FormEvent, useState } from 'react';
import type { CallOutput } from '../../../main/contract/ui/calls/index.ts';
import { sentence } from '../../../main/contract/ui/sentence.ts';
import { useAction } from '../../stores/use-call.ts';
import { Button } from '../../ui/button.tsx';
import { Field, TextInput } from '../../ui/field.tsx';
import { Section } from '../../ui/page.tsx';
import { Failure } from '../../ui/states.tsx';
import { clockText, useNow } from '../../ui/time/index.ts';
import styles from './registries.module.css';

type Answer = CallOutput<'registry.test'>;

/** Asks the registry whether it accepts the account’s credential, and whether that may pull an image. */
export function TestRegistry({ name }: { name: string }) {
  const action = useAction('registry.test');
  const [answer, setAnswer] = useState<Answer | null>(null);
  const [image, setImage] = useState('');
  const ask = async (event: FormEvent) => {
    event.preventDefault();
    setAnswer(await action.run({ registry: name, image: image.trim() || null }));
  };
  return (
    <Section title="Test">
      <p className={styles.muted}>
        Sends the credential to the registry, and shows whether it is accepted. No login begins, and no plugin
        runs.
      </p>
      <form className={styles.ask} onSubmit={(event) => void ask(event)}>
        <Field label="Image to pull" hint="Optional. Needed if the patterns cover more than one host.">
          <TextInput mono value={image} onChange={(event) => setImage(event.target.value)} />
        </Field>
        <Button type="submit" busy={action.busy}>
          {answer ? 'Test again' : 'Test'}
        </Button>
      </form>
      <div className={styles.stack} aria-live="polite">
        {action.failure ? <Failure failure={action.failure} /> : answer && <Result answer={answer} />}
      </div>
    </Section>
  );
}

function Result({ answer: { credential, nothing, notForKubelets, answer } }: { answer: Answer }) {
  const now = useNow(60_000);
  return (
    <>
      {answer && (
        <div className={isGood(answer) ? undefined : styles.problem}>
          <p>{sentence(answer.message)}</p>
          {answer.hint && <p className={styles.muted}>{sentence(answer.hint)}</p>}
        </div>
      )}
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

function isGood({ outcome }: NonNullable<Answer['answer']>): boolean {
  return outcome === 'accepted' || outcome === 'open';
}
