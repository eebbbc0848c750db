import { useState } from 'react';
import type { CallOutput } from '../../../../main/contract/ui/calls/index.ts';
import { sentence } from '../../../../main/contract/ui/sentence.ts';
import { useAction } from '../../../stores/use-call.ts';
import { Button } from '../../../ui/button.tsx';
import { KeyValues } from '../../../ui/key-values.tsx';
import { Section } from '../../../ui/page.tsx';
import { Failure } from '../../../ui/states.tsx';
import styles from './cluster.module.css';

type Answer = CallOutput<'cluster.whoAmI'>;

/** The meaning of each reason why the server didn't tell the identity. */
const means: Readonly<Record<Extract<Answer, { kind: 'failed' }>['why'], string>> = {
  rejected: 'The server doesn’t recognise you, so kubectl will fail too.',
  forbidden: 'The credential works, but you aren’t allowed to run this check.',
  old: 'This server is too old for this check. The credential may still work.',
  untold: 'Whether the credential works there is not known.',
  unreachable: 'Server unreachable. The credential was not sent.',
  tls: 'Server identity couldn’t be verified. The credential was not sent.',
  proxy: 'Connection blocked. The credential was not sent.',
};

/** Asks the server for the identity of the cached credential. */
export function WhoAmI({ cluster }: { cluster: string }) {
  const action = useAction('cluster.whoAmI');
  const [answer, setAnswer] = useState<Answer | null>(null);
  return (
    <Section title="Who am I on this cluster?">
      <div className={styles.who} aria-live="polite">
        {action.failure ? (
          <Failure failure={action.failure} />
        ) : (
          answer && (answer.kind === 'known' ? <Known answer={answer} /> : <NotTold answer={answer} />)
        )}
        <Button size="small" busy={action.busy} onClick={() => void action.run({ cluster }).then(setAnswer)}>
          {answer ? 'Check again' : 'Check'}
        </Button>
      </div>
    </Section>
  );
}

function Known({ answer }: { answer: Extract<Answer, { kind: 'known' }> }) {
  const { userName, uid, groups, extra } = answer;
  return (
    <>
      {userName === 'system:anonymous' && (
        <p className={styles.problem}>
          The server sees you as anonymous. It may not accept this login method.
        </p>
      )}
      <KeyValues
        rows={[
          ['User', <strong key="user">{userName}</strong>],
          ...(uid === null
            ? []
            : [
                [
                  'UID',
                  <span key="uid" className="mono">
                    {uid}
                  </span>,
                ] as const,
              ]),
          ['Groups', groups.length === 0 ? 'none' : groups.join(', ')],
          ...extra.map(({ name, values }) => [name, values.join(', ')] as const),
        ]}
      />
    </>
  );
}

function NotTold({ answer }: { answer: Extract<Answer, { kind: 'failed' }> }) {
  return (
    <div className={styles.problem}>
      <p>{sentence(answer.happened)}</p>
      <p className={styles.words}>{means[answer.why]}</p>
      {answer.hint && <p className={styles.words}>{sentence(answer.hint)}</p>}
    </div>
  );
}
