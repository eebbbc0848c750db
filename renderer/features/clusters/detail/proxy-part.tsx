import { useEffect, useRef } from 'react';
import type { CallOutput } from '../../../../main/contract/ui/calls/index.ts';
import type { ClusterView } from '../../../../main/contract/ui/state.ts';
import { useBroker } from '../../../stores/use-broker.tsx';
import { useCall } from '../../../stores/use-call.ts';
import { isLost } from '../../../ui/lost-focus.ts';
import { Section } from '../../../ui/page.tsx';
import { Failure, Loading } from '../../../ui/states.tsx';
import { useOfNow } from '../../../ui/time/index.ts';
import styles from './cluster.module.css';
import { ProxiedRequest } from './proxied-request.tsx';
import own from './proxy.module.css';
import { ProxyTry } from './proxy-try.tsx';
import { signers } from './sign-fields.tsx';
import { AccountLink, StepWords } from './step-words.tsx';

type Answer = CallOutput<'proxy.cluster'>;

/** How often what is under way is read, in milliseconds: only while the user can see it. */
const readMilliseconds = 2_000;

/** What the request proxy does to the cluster’s requests, and those that are under way. */
export function ProxyPart({ cluster: { name, account } }: { cluster: ClusterView }) {
  const isSeen = useOfNow(() => document.visibilityState === 'visible');
  const turn = useOfNow((now) => now, readMilliseconds);
  const { value, failure, reload } = useCall(
    'proxy.cluster',
    { cluster: name },
    { skip: !isSeen, refreshOn: turn },
  );
  if (!value) {
    return failure ? (
      <Failure failure={failure} onRetry={reload} />
    ) : (
      <Loading label="Reading the request proxy" />
    );
  }
  return (
    <div className={styles.parts}>
      {failure && <Failure failure={failure} onRetry={reload} />}
      {value.faults.map((fault) => (
        <p key={fault} className={styles.problem}>
          {fault}
        </p>
      ))}
      <Section title="Each request">
        <Steps account={account} steps={value.steps ?? []} />
      </Section>
      <ProxyTry cluster={name} />
      <Section title="Under way">
        <Requests cluster={name} value={value} onEnded={reload} />
      </Section>
    </div>
  );
}

function Steps({ account, steps }: { account: string; steps: NonNullable<Answer['steps']> }) {
  const kind = useBroker((state) => state.sections.accounts[account]?.kind);
  return (
    <ol className={own.sentences}>
      {(kind === undefined || !signers.has(kind)) && (
        <li>
          {kind === 'pkcs11'
            ? 'Connects with the client certificate on a token: '
            : 'Gets the credential of '}
          <AccountLink name={account} />
        </li>
      )}
      {steps.map((parts, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a step has no other name than its place
        <li key={at}>
          <StepWords parts={parts} />
        </li>
      ))}
    </ol>
  );
}

function Requests({
  cluster,
  value: { port, requests, total, listeners },
  onEnded,
}: {
  cluster: string;
  value: Answer;
  onEnded(): void;
}) {
  const list = useRef<HTMLDivElement>(null);
  const wasEnded = useRef(false);
  useEffect(() => {
    // The button that ended a request is gone with it.
    if (wasEnded.current && isLost(document.activeElement)) {
      wasEnded.current = false;
      list.current?.focus();
    }
  });
  return (
    <div ref={list} tabIndex={-1} className={own.requests}>
      {requests.length === 0 ? (
        <p className={styles.quiet}>
          {port === null
            ? 'The request proxy isn’t running. It starts on first use.'
            : 'No requests are under way.'}
        </p>
      ) : (
        <>
          <ul className={own.list}>
            {requests.map((request) => (
              <ProxiedRequest
                key={request.id}
                cluster={cluster}
                request={request}
                onEnded={() => {
                  wasEnded.current = true;
                  onEnded();
                }}
              />
            ))}
          </ul>
          {total > requests.length && (
            <p className={styles.faint}>And {total - requests.length} more, which are newer.</p>
          )}
          <p className={styles.faint}>End breaks the connection. The program may send the request again.</p>
        </>
      )}
      {port !== null && <p className={styles.faint}>Clients reach it at 127.0.0.1:{port}.</p>}
      {listeners > 0 && <p className={styles.faint}>Listeners of one client’s own: {listeners}.</p>}
    </div>
  );
}
