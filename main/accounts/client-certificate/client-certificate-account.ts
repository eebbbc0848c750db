import { raceAbort } from '../../base/abort.ts';
import { BrokerError, toRefusal } from '../../contract/broker-error.ts';
import { type Refusal, refuse } from '../../contract/refusal.ts';
import { clockText } from '../../contract/ui/time-texts.ts';
import { createPairReader } from '../../domain/credential/read-pair.ts';
import { adviceText, secretAdvice } from '../../domain/text/advice.ts';
import type { Account, AccountState, Obtained } from '../../ports/account.ts';
import type { Clock } from '../../ports/clock.ts';
import type { LoadedAccount } from '../../ports/config-store.ts';
import type { Vault } from '../../ports/vault.ts';
import { observeLife, observeRefusal, observeWarning } from '../observe.ts';
import type { SecretFileReader } from '../secret-file.ts';
import { type LoadedPair, pairFromFiles, pairFromVault } from './load-pair.ts';

export interface ClientCertificateDeps {
  account: LoadedAccount;
  vault: Pick<Vault, 'state' | 'read'>;
  files: SecretFileReader;
  clock: Pick<Clock, 'now' | 'after'>;
}

/** How long two files that don't belong together may be in the middle of a rotation. */
const rotationMilliseconds = 200;

type Looked = {
  found: Obtained;
  subject: string | null;
  issuedAt: number | null;
  expiresAt: number | null;
  warning: string | null;
};

/** A certificate with its key, from the vault or from files that others rotate. */
export function createClientCertificateAccount(deps: ClientCertificateDeps): Account {
  const { account, vault, files, clock } = deps;
  const { name } = account;
  if (!('clientCertificate' in account.config)) {
    throw new BrokerError('account.kind', `account ${name} is no client certificate`);
  }
  const config = account.config.clientCertificate;
  const advice = secretAdvice(name, account.config);
  const readPair = createPairReader();
  const inFiles = config.certificateFile !== undefined || config.keyFile !== undefined;

  const refusePair = (code: string, message: string): Refusal =>
    refuse('loginNeeded', `clientCertificate.${code}`, message, hintFor(code));

  function hintFor(code: string): string {
    if (code === 'keyEncrypted') {
      return 'take the passphrase off first: openssl pkey -in KEY -out PLAIN-KEY';
    }
    return adviceText(advice);
  }

  async function load(): Promise<LoadedPair> {
    if (!inFiles) {
      return pairFromVault(name, vault, readPair);
    }
    const pair = await pairFromFiles(config, files, readPair);
    if (pair.ok || pair.code !== 'mismatch' || config.keyFile === undefined) {
      return pair;
    }
    // A rotation replaces one file after the other: read once more before reporting an error.
    await new Promise<void>((resolve) => {
      clock.after(rotationMilliseconds, resolve);
    });
    return pairFromFiles(config, files, readPair);
  }

  async function look(): Promise<Looked> {
    const nobody = { subject: null, issuedAt: null, expiresAt: null, warning: null };
    try {
      const pair = await load();
      if (!pair.ok) {
        return { found: refusePair(pair.code, pair.message), ...nobody };
      }
      const { issuedAt, expiresAt, subject } = pair.life;
      const about = { subject, issuedAt, expiresAt, warning: pair.warning };
      if (clock.now() < issuedAt) {
        const message = `the certificate of ${name} is not valid before ${clockText(issuedAt, clock.now())}`;
        return { found: refusePair('notYetValid', message), ...about };
      }
      if (clock.now() >= expiresAt) {
        const message = `the certificate of ${name} expired at ${clockText(expiresAt, clock.now())}`;
        return { found: refusePair('expired', message), ...about };
      }
      const certificate = { chainPem: pair.chainPem, keyPem: pair.keyPem };
      return { found: { ok: true, credential: { token: null, certificate, issuedAt, expiresAt } }, ...about };
    } catch (error) {
      return { found: toRefusal(error), ...nobody };
    }
  }

  return {
    name,
    kind: 'clientCertificate',
    replacedBy: advice,
    async current() {
      const { found } = await look();
      return found.ok || found.reason === 'locked' ? found : null;
    },
    async renew(signal) {
      return (await raceAbort(look(), signal)).found;
    },
    async examine(signal) {
      const { found, warning } = await raceAbort(look(), signal);
      if (!found.ok) {
        return [observeRefusal('account.certificate', found)];
      }
      const what = `the certificate of ${name}`;
      const hint = hintFor('expired');
      const life = observeLife('account.certificate', what, found.credential, clock.now(), hint);
      return [
        life,
        ...(warning === null
          ? []
          : [observeWarning(inFiles ? 'account.file' : 'account.certificate', warning)]),
      ];
    },
    async state(): Promise<AccountState> {
      const { found, subject, issuedAt, expiresAt, warning } = await look();
      return {
        kind: 'clientCertificate',
        state: found.ok ? 'ready' : stateOf(found),
        subject,
        issuer: null,
        issuedAt,
        expiresAt,
        problem: found.ok ? warning : found.message,
      };
    },
  };
}

function stateOf(refusal: Refusal): AccountState['state'] {
  switch (refusal.code) {
    case 'clientCertificate.missing':
    case 'clientCertificate.keyMissing':
    case 'clientCertificate.certificateMissing':
      return 'secretMissing';
    case 'clientCertificate.expired':
      return 'expired';
    default:
      return refusal.reason === 'locked' ? 'locked' : 'invalid';
  }
}
