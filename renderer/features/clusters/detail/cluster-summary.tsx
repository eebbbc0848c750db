import { callClassNames } from '../../../../main/contract/ui/call-words.ts';
import { shortName } from '../../../../main/contract/ui/short-name.ts';
import type { ClusterView } from '../../../../main/contract/ui/state.ts';
import { hrefOf } from '../../../navigation/route.ts';
import { useCall } from '../../../stores/use-call.ts';
import { KeptFold } from '../../../ui/kept-fold.tsx';
import { KeyValues } from '../../../ui/key-values.tsx';
import { Name } from '../../../ui/name.tsx';
import { Section } from '../../../ui/page.tsx';
import { Failure } from '../../../ui/states.tsx';
import { clockText, tookText, useNow } from '../../../ui/time/index.ts';
import { CallBars } from './call-bars.tsx';
import styles from './cluster.module.css';
import { happenedIn, lastedText, windowOf } from './lane-span.ts';
import { policyWords } from './policy-words.ts';
import { useKept } from './use-kept.ts';

/** The essentials: the identity at the server, calls, renewals and their reasons, and the programs. */
export function ClusterSummary({ cluster }: { cluster: ClusterView }) {
  return (
    <div className={styles.parts}>
      <Facts cluster={cluster} />
      <Section title="Calls, last 12 h">
        <CallBars cluster={cluster.name} refreshOn={cluster.lastCall?.at ?? null} />
      </Section>
      <Rotation cluster={cluster} />
      <AskedBy cluster={cluster} />
    </div>
  );
}

function Facts({ cluster: { name, account, audience, approval, laneVersion } }: { cluster: ClusterView }) {
  const { value } = useCall('cluster.credential', { cluster: name }, { refreshOn: laneVersion });
  const held = value?.credential;
  const audiences = held?.audiences.length ? held.audiences : audience === null ? [] : [audience];
  return (
    <KeyValues
      rows={[
        ...row('User', held?.subject),
        ...row('Groups', held?.groups.join(', ')),
        ['Account', <Name key="account" text={shortName({ name: account }).short} full={account} />],
        ...row('Audience', audiences.join(', '), true),
        ...row('Issuer', held?.issuer, true),
        ...row('Plugin', value?.plugin?.command, true),
        ['Approval', policyWords(approval)],
      ]}
    />
  );
}

function row(label: string, value: string | null | undefined, mono = false) {
  return value ? [[label, mono ? <Mono key={label} text={value} /> : value] as const] : [];
}

function Mono({ text }: { text: string }) {
  return <span className="mono">{text}</span>;
}

function Rotation({ cluster: { name, laneVersion } }: { cluster: ClusterView }) {
  const now = useNow(60_000);
  const window = windowOf({ span: 'day', until: null }, now);
  const { value, failure, reload } = useCall(
    'cluster.lane',
    { cluster: name, ...window, most: 50 },
    { refreshOn: laneVersion },
  );
  const lane = useKept(value);
  const happened = lane ? happenedIn(lane, now) : [];
  return failure ? (
    <Failure failure={failure} onRetry={reload} />
  ) : (
    <KeptFold
      name="renewals"
      className={styles.fold}
      summary={
        <>
          <h2>Renewal history</h2>
          {lane && <span className={styles.faint}>{happened.length}</span>}
        </>
      }
    >
      {lane && happened.length === 0 && <p className={styles.quiet}>No recent renewals.</p>}
      <ul className={styles.rows}>
        {happened.map(({ key, at, words, lasted, bad }) => (
          <li key={key} className={styles.line}>
            <time>{clockText(at, now)}</time>
            <span className={bad ? styles.bad : undefined}>{words}</span>
            <span className={styles.faint}>{lastedText(lasted) && `lasted ${lastedText(lasted)}`}</span>
          </li>
        ))}
      </ul>
    </KeptFold>
  );
}

function AskedBy({ cluster: { name: cluster, lastCall } }: { cluster: ClusterView }) {
  const now = useNow(60_000);
  const { value, failure, reload } = useCall(
    'cluster.lastCalls',
    { cluster, most: 5 },
    { refreshOn: lastCall?.at ?? null },
  );
  const calls = useKept(value)?.calls;
  return (
    <Section title="Used by">
      {failure && <Failure failure={failure} onRetry={reload} />}
      {calls?.length === 0 && <p className={styles.quiet}>None yet.</p>}
      <ul className={styles.rows}>
        {calls?.map(({ id, at, program, class: name, microseconds }) => (
          <li key={id} className={styles.line}>
            <time>{clockText(at, now)}</time>
            <span className={name === 'handedOut' ? undefined : styles.bad}>
              {program ?? 'a program'}
              {name !== 'handedOut' && `, ${callClassNames[name].toLowerCase()}`}
            </span>
            <span className={styles.faint}>{tookText(microseconds)}</span>
          </li>
        ))}
      </ul>
      <a href={`${hrefOf('activity')}?span=week&cluster=${encodeURIComponent(cluster)}`}>Show in Activity</a>
    </Section>
  );
}
