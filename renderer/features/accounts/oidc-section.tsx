import type { AccountDetails } from '../../../main/contract/ui/calls/accounts.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { KeyValues } from '../../ui/key-values.tsx';
import { Section } from '../../ui/page.tsx';
import { agoText, clockText, useNow } from '../../ui/time/index.ts';
import styles from './accounts.module.css';
import { AddOfflineAccess } from './add-offline-access.tsx';

type Oidc = NonNullable<AccountDetails['oidc']>;

const flows: Readonly<Record<Oidc['flow'], string>> = {
  auto: 'In a browser where there is a display, else with a code',
  browser: 'In a browser',
  device: 'With a code on any device',
  clientCredentials: 'As the client itself, without a user',
  serviceAccountToken: 'With the service account token of a pod, without a user',
};

const stateTexts: Readonly<Record<NonNullable<Oidc['session']>['state'], string | null>> = {
  good: null,
  interrupted: 'Interrupted in the middle of a renewal: log in again',
  stale: 'From an older copy of the vault: log in again',
  ended: 'Ended by the provider: log in again',
  elsewhere: 'From another issuer or client than the configured one: log in again',
};

/** Where an OIDC account logs in, and its session. */
export function OidcSection({ account, oidc }: { account: string; oidc: Oidc }) {
  const now = useNow(60_000);
  const { session, redirectAddress } = oidc;
  const isExchange = oidc.flow === 'serviceAccountToken';
  const stateText = session && stateTexts[session.state];
  return (
    <>
      <Section title="Provider">
        <KeyValues
          rows={[
            ['Issuer', <code key="issuer">{oidc.issuer}</code>],
            ['Client ID', <code key="client">{oidc.clientId}</code>],
            ['Scopes', <code key="scopes">{oidc.scopes.join(' ')}</code>],
            ['Login', flows[oidc.flow]],
            ...(isExchange
              ? []
              : [['Token type', oidc.token === 'id' ? 'ID token' : 'access token'] as const]),
            ...(redirectAddress === null
              ? []
              : [
                  [
                    'Redirect URI',
                    <span key="redirect" className={styles.copied}>
                      <code>{redirectAddress}</code>
                      <CopyButton text={redirectAddress} label="Copy the redirect URI" />
                    </span>,
                  ] as const,
                ]),
          ]}
        />
        {redirectAddress !== null && (
          <p className={styles.muted}>
            Register this redirect URI with your provider for logins in a browser. If it has no port, the
            provider must allow any port.
          </p>
        )}
      </Section>
      <Section title="Session">
        {session === null ? (
          <p className={styles.muted}>{isExchange ? 'It needs no login.' : 'Not logged in.'}</p>
        ) : (
          <KeyValues
            rows={[
              ['Subject', <code key="subject">{session.subject}</code>],
              ...(session.issuer === oidc.issuer
                ? []
                : [['Issuer', <code key="issuer">{session.issuer}</code>] as const]),
              ['Logged in', `${clockText(session.loggedInAt, now)} (${agoText(session.loggedInAt, now)})`],
              [
                'Refresh token',
                session.hasRefreshToken
                  ? 'Yes: it renews automatically'
                  : 'None: log in each time it expires',
              ],
              ['Renewed', timesText(session.generation - 1)],
              ...(stateText === null ? [] : [['State', stateText] as const]),
            ]}
          />
        )}
        {session?.hasRefreshToken === false && !oidc.scopes.includes('offline_access') && (
          <AddOfflineAccess account={account} scopes={oidc.scopes} />
        )}
      </Section>
    </>
  );
}

function timesText(count: number): string {
  return count <= 0 ? 'not yet' : count === 1 ? 'once' : `${count} times`;
}
