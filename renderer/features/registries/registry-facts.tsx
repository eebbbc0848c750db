import { callClassNames } from '../../../main/contract/ui/call-words.ts';
import type { RegistryView } from '../../../main/contract/ui/state.ts';
import { hrefOf } from '../../navigation/route.ts';
import { useCall } from '../../stores/use-call.ts';
import { KeyValues } from '../../ui/key-values.tsx';
import { Section } from '../../ui/page.tsx';
import { Failure } from '../../ui/states.tsx';
import { clockText, useNow } from '../../ui/time/index.ts';
import { kindWords } from '../accounts/account-words.ts';
import { policyWords } from '../clusters/detail/policy-words.ts';
import styles from './registries.module.css';
import { sourceWords } from './registry-words.ts';

/** All that config.yaml says of a registry, and the last requests for its credential. */
export function RegistryFacts({ registry }: { registry: RegistryView }) {
  const { matchImages, account, kind, userName, audience, approval, cacheDuration, calledAs, tokenServers } =
    registry;
  return (
    <>
      <KeyValues
        rows={[
          [
            'Images',
            <ul key="images" className={styles.patterns}>
              {matchImages.map((pattern) => (
                <li key={pattern} className="mono">
                  {pattern}
                </li>
              ))}
            </ul>,
          ],
          [
            'Account',
            <a key="account" href={hrefOf('accounts', account)}>
              {account}
            </a>,
          ],
          ...(kind === null ? [] : [['Kind', kindWords[kind].name] as const]),
          ...(userName === null ? [] : [['User name', <Mono key="user" text={userName} />] as const]),
          ...(audience === null ? [] : [['Audience', <Mono key="audience" text={audience} />] as const]),
          ['Approval', policyWords(approval)],
          ['Kubelets keep it', cacheDuration === '0s' ? 'Not at all' : `For ${cacheDuration}`],
          ...(calledAs === null
            ? []
            : [['Only for', <Mono key="called" text={`docker-credential-lanyard-${calledAs}`} />] as const]),
          ...(tokenServers.length === 0
            ? []
            : [['Token servers', <Mono key="servers" text={tokenServers.join(', ')} />] as const]),
        ]}
      />
      <LastCalls registry={registry} />
    </>
  );
}

function Mono({ text }: { text: string }) {
  return <span className="mono">{text}</span>;
}

function LastCalls({ registry: { name, lastCall } }: { registry: RegistryView }) {
  const now = useNow(60_000);
  const { value, failure, reload } = useCall(
    'registry.lastCalls',
    { registry: name, most: 6 },
    { refreshOn: lastCall?.at ?? null },
  );
  const calls = value?.calls;
  return (
    <Section title="Last used by">
      {failure && <Failure failure={failure} onRetry={reload} />}
      {calls?.length === 0 && <p className={styles.muted}>Never used.</p>}
      {calls && calls.length > 0 && (
        <>
          <ul className={styles.calls}>
            {calls.map(({ id, at, program, door, outcome, class: result }) => (
              <li key={id}>
                <time>{clockText(at, now)}</time>
                <span className={outcome === 'refused' ? styles.bad : undefined}>
                  {program ?? 'a program'}
                  {result !== 'handedOut' && `, ${callClassNames[result].toLowerCase()}`}
                </span>
                <small>{sourceWords[door]}</small>
              </li>
            ))}
          </ul>
          <a href={`${hrefOf('activity')}?span=week&registry=${encodeURIComponent(name)}`}>
            Show in Activity
          </a>
        </>
      )}
    </Section>
  );
}
