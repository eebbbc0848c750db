import type { AccountDetails } from '../../../main/contract/ui/calls/accounts.ts';
import { useBroker } from '../../stores/use-broker.tsx';
import { useAction } from '../../stores/use-call.ts';
import { Button } from '../../ui/button.tsx';
import { CommandLine } from '../../ui/command-line.tsx';
import { Section } from '../../ui/page.tsx';
import { Failure } from '../../ui/states.tsx';
import styles from './accounts.module.css';

type Secret = AccountDetails['secrets'][number];

const labels: Readonly<Record<string, string>> = {
  token: 'Token',
  certificate: 'Certificate',
  key: 'Private key',
  password: 'Password',
  identityToken: 'Identity token',
  clientSecret: 'Client secret',
  clientKey: 'Client key',
  clientCertificate: 'Client certificate and key',
  secretAccessKey: 'Secret access key',
  sessionToken: 'Session token',
};

/** A secret's name, for users. */
export function secretLabel(name: string): string {
  return Object.hasOwn(labels, name) ? (labels[name] ?? name) : name.replace(/^env\./, 'Variable ');
}

/** The secrets that the account may have in the vault. They are typed in the broker's own window, never in the page. */
export function SecretsSection({ account, secrets }: { account: string; secrets: readonly Secret[] }) {
  return (
    <Section title="Secrets in the vault">
      <p className={styles.muted}>
        Type them in Lanyard’s secret window or on a terminal: this page never sees them.
      </p>
      <ul className={styles.secrets}>
        {secrets.map((secret) => (
          <SecretRow key={secret.name} account={account} secret={secret} />
        ))}
      </ul>
    </Section>
  );
}

function SecretRow({ account, secret }: { account: string; secret: Secret }) {
  const open = useAction('window.open');
  const canOpen = useBroker((state) => state.sections.broker['']?.windows !== 'none');
  const label = secretLabel(secret.name);
  const health =
    secret.isSet === null
      ? 'unknown while locked'
      : secret.isSet
        ? 'set'
        : secret.isNeeded
          ? 'missing'
          : 'not set (optional)';
  return (
    <li className={styles.secret}>
      <div className={styles.ways}>
        <span className={styles.secretName}>{label}</span>
        <span className={secret.isNeeded && secret.isSet === false ? styles.problem : styles.muted}>
          {health}
        </span>
        {canOpen && (
          <Button
            size="small"
            busy={open.busy}
            aria-label={`${secret.isSet ? 'Replace' : 'Set'}… ${label}`}
            onClick={() => void open.run({ what: 'secret', account, secret: secret.name })}
          >
            {secret.isSet ? 'Replace…' : 'Set…'}
          </Button>
        )}
      </div>
      <CommandLine command={secret.command} />
      {open.failure && <Failure failure={open.failure} />}
    </li>
  );
}
