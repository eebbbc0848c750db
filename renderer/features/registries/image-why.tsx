import { type FormEvent, useState } from 'react';
import type { CallOutput } from '../../../main/contract/ui/calls/index.ts';
import { sentence } from '../../../main/contract/ui/sentence.ts';
import { hrefOf } from '../../navigation/route.ts';
import { useAction } from '../../stores/use-call.ts';
import { Button } from '../../ui/button.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { Field, TextInput } from '../../ui/field.tsx';
import { Section } from '../../ui/page.tsx';
import { Failure } from '../../ui/states.tsx';
import styles from './registries.module.css';

type Answer = CallOutput<'registry.why'>;

/** Which credential an image would get, and what each pattern has to do with it. */
export function ImageWhy() {
  const [image, setImage] = useState('');
  const [answer, setAnswer] = useState<Answer | null>(null);
  const action = useAction('registry.why');
  const ask = async (event: FormEvent) => {
    event.preventDefault();
    if (image.trim() !== '') {
      setAnswer(await action.run({ image: image.trim() }));
    }
  };
  return (
    <div className={styles.why}>
      <Section title="Which credential would this image get?">
        <form className={styles.ask} onSubmit={(event) => void ask(event)}>
          <Field label="Image" hint="As a pod names it, such as ghcr.io/team/app:1.2">
            <TextInput mono value={image} onChange={(event) => setImage(event.target.value)} />
          </Field>
          <Button type="submit" busy={action.busy}>
            Check
          </Button>
        </form>
        <div className={styles.stack} aria-live="polite">
          {action.failure ? <Failure failure={action.failure} /> : answer && <Reasons answer={answer} />}
        </div>
      </Section>
    </div>
  );
}

function Reasons({ answer: { image, chosen, problem, patterns } }: { answer: Answer }) {
  return (
    <>
      {chosen ? (
        <p>
          <span className="mono">{image}</span> {problem === null ? 'gets' : 'would get'} the credential of{' '}
          <a href={hrefOf('accounts', chosen.account)}>{chosen.account}</a>, from the registry{' '}
          <a href={hrefOf('registries', chosen.registry)}>{chosen.registry}</a> by its pattern{' '}
          <span className="mono">{chosen.pattern}</span>.
        </p>
      ) : (
        <p>
          <span className="mono">{image}</span> gets no credential in a kubelet: no registry has a pattern for
          it. docker gets a stored login, if there is one.
        </p>
      )}
      {problem !== null && <p className={styles.problem}>{sentence(problem)}</p>}
      <DataTable
        caption="Each pattern, and why it is used or not"
        columns={[
          { label: 'Registry' },
          { label: 'Pattern', mono: true },
          { label: 'Match' },
          { label: 'Why' },
        ]}
        rows={patterns.map(({ registry, pattern, matches, chosen: isChosen, why }) => ({
          key: `${registry} ${pattern}`,
          cells: [
            registry,
            pattern,
            isChosen ? <strong key="used">Used</strong> : matches ? 'Matches' : 'No',
            why === '' ? '' : sentence(why),
          ],
        }))}
      />
    </>
  );
}
