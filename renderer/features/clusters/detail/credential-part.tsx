import type { CredentialView } from '../../../../main/contract/ui/credential.ts';
import { sentence } from '../../../../main/contract/ui/sentence.ts';
import type { ClusterView } from '../../../../main/contract/ui/state.ts';
import { useCall } from '../../../stores/use-call.ts';
import { DataTable } from '../../../ui/data-table.tsx';
import { KeyValues } from '../../../ui/key-values.tsx';
import { Section } from '../../../ui/page.tsx';
import { Empty, Failure, Loading } from '../../../ui/states.tsx';
import { clockText, useNow } from '../../../ui/time/index.ts';
import { CertificateSection } from '../../entries/certificate-section.tsx';
import styles from './cluster.module.css';
import { WhoAmI } from './who-am-i.tsx';

const kinds = {
  token: 'Token',
  certificate: 'Certificate',
  both: 'Token and certificate',
  password: 'User name and password',
  awsKeys: 'AWS keys',
} as const;

/** The cluster's cached credential, and the identity that the server sees. */
export function CredentialPart({ cluster: { name, kind, laneVersion } }: { cluster: ClusterView }) {
  const { value, failure, loading, reload } = useCall(
    'cluster.credential',
    { cluster: name },
    { refreshOn: laneVersion },
  );
  if (!value) {
    return failure ? (
      <Failure failure={failure} onRetry={reload} />
    ) : (
      loading && <Loading label="Loading credential" />
    );
  }
  const { credential, nothing, plugin } = value;
  return (
    <div className={styles.parts}>
      {credential ? (
        <>
          <Facts
            credential={credential}
            kind={kind === 'pkcs11' ? 'Client certificate on a token' : kinds[credential.kind]}
            plugin={plugin}
          />
          <WhoAmI cluster={name} />
          {credential.certificates.map((each, index) => (
            <CertificateSection
              key={each.fingerprint}
              certificate={each}
              title={index === 0 ? 'Certificate' : `Its issuer, ${index}`}
            />
          ))}
          {credential.claims && <Claims claims={credential.claims} />}
        </>
      ) : (
        <Empty
          title="No cached credential"
          text={`${sentence(nothing?.message ?? 'it comes when a program asks')} ${nothing?.hint ? sentence(nothing.hint) : ''}`}
        />
      )}
    </div>
  );
}

function Facts({
  credential,
  kind,
  plugin,
}: {
  credential: CredentialView;
  kind: string;
  plugin: { command: string; variables: readonly (readonly string[])[] } | null;
}) {
  const now = useNow(60_000);
  const callers = (plugin?.variables ?? [])
    .filter((names) => names.length > 0)
    .map((names) => names.join(', '));
  const { subject, groups, audiences, issuer, from, until, endIsRead } = credential;
  const time = (at: number) => <time>{clockText(at, now)}</time>;
  return (
    <KeyValues
      rows={[
        ['Kind', kind],
        ['Subject', subject ?? 'not specified'],
        ...(groups.length > 0 ? [['Groups', groups.join(', ')] as const] : []),
        ...(audiences.length > 0
          ? [
              [
                'Audience',
                <span key="audience" className="mono">
                  {audiences.join(', ')}
                </span>,
              ] as const,
            ]
          : []),
        ...(issuer
          ? [
              [
                'Issuer',
                <span key="issuer" className="mono">
                  {issuer}
                </span>,
              ] as const,
            ]
          : []),
        ...(from === null ? [] : [['From', time(from)] as const]),
        [
          'Until',
          until === null ? (
            'never expires'
          ) : (
            <>
              {time(until)}
              {endIsRead && ' (from the token; the plugin reported no expiry)'}
            </>
          ),
        ],
        ...(plugin
          ? [
              [
                'From plugin',
                <span key="plugin" className="mono">
                  {plugin.command}
                </span>,
              ] as const,
            ]
          : []),
        ...(callers.length > 0 ? [['With variables', callers.join('; ')] as const] : []),
      ]}
    />
  );
}

/** Claims that are times (RFC 7519, NumericDate), in seconds since 1970. */
const times = new Set(['exp', 'iat', 'nbf', 'auth_time', 'updated_at']);

function Claims({ claims }: { claims: NonNullable<CredentialView['claims']> }) {
  const now = useNow(60_000);
  const inWords = (name: string, value: string) =>
    times.has(name) && /^\d{9,11}$/.test(value)
      ? `${value} (${clockText(Number(value) * 1000, now)})`
      : value;
  return (
    <Section title="Claims">
      <DataTable
        caption="Token claims"
        columns={[
          { label: 'Claim', mono: true },
          { label: 'Value', mono: true },
        ]}
        rows={claims.map(({ name, value }) => ({
          key: name,
          cells: [
            name,
            <span key="value" className={styles.claim}>
              {inWords(name, value)}
            </span>,
          ],
        }))}
      />
      <p className={styles.faint}>Claims only. The token itself never leaves Lanyard.</p>
    </Section>
  );
}
