import { Secret } from '../base/secret.ts';
import { BrokerError } from '../contract/broker-error.ts';
import { clockText } from '../contract/ui/time-texts.ts';
import { changePair, type Half, halfOf } from '../domain/credential/change-pair.ts';
import { parseClientKey } from '../domain/credential/client-key.ts';
import { parseToken } from '../domain/credential/parse-token.ts';
import { readPair } from '../domain/credential/read-pair.ts';
import { oneWordParts } from '../domain/credential/secret-parts.ts';
import type { Clock } from '../ports/clock.ts';
import type { Recorder } from '../ports/history.ts';
import type { Vault, VaultContent } from '../ports/vault.ts';
import type { SecretTarget } from './secret-target.ts';

/** As in config.yaml: Linux takes 128 KiB for each variable with its name. */
const variableLimitBytes = 64 * 1024;

export interface KeepSecretDeps {
  vault: Pick<Vault, 'read' | 'update'>;
  clock: Pick<Clock, 'now'>;
  recorder: Recorder;
  onChanged(account: string): void;
}

/** What was kept, in a sentence, and what is still to be done. */
export interface KeptSecret {
  text: string;
  hint: string | null;
}

/** Stores what the user gave for an account in the vault. Throws BrokerError (reason usage, locked). */
export async function keepSecret(
  deps: KeepSecretDeps,
  { account, part, partial = false }: SecretTarget & { partial?: boolean },
  value: Secret,
): Promise<KeptSecret> {
  if (part === null) {
    return keepPair(deps, account, certificateAndKey(account, value), partial);
  }
  if (part === 'certificate' || part === 'key') {
    const half = halfOf(part, value);
    if (half === null) {
      throw new BrokerError('secret.pem', `what was given holds no ${part} in PEM`, { reason: 'usage' });
    }
    return keepPair(deps, account, { [part]: half }, partial);
  }
  const kept =
    part === 'clientCertificate' ? clientCertificate(value, deps.clock.now()) : trimmed(part, value);
  await deps.vault.update((content) =>
    withParts(content, account, { ...content.secrets[account], [part]: kept }),
  );
  return said(deps, account, `Kept ${part} of ${account}.`, null);
}

/**
 * Stores a certificate with its key, or half of them, so that the vault's pair is complete before and after. Throws
 * BrokerError (reason usage, locked).
 */
export async function keepPair(
  deps: KeepSecretDeps,
  account: string,
  given: Partial<Record<Half, Secret>>,
  partial = false,
): Promise<KeptSecret> {
  let kept: 'pair' | 'half' | 'next' = 'pair';
  // Compared at the moment of writing: two halves may come at the same time.
  await deps.vault.update((content) => {
    const parts = Object.hasOwn(content.secrets, account) ? (content.secrets[account] ?? {}) : {};
    const change = changePair({ account, given, parts, partial, now: deps.clock.now() });
    if (!change.ok) {
      throw new BrokerError(change.code, change.message, {
        reason: 'usage',
        hint: pairHint(account, change.code, given),
      });
    }
    kept = change.kept;
    return withParts(content, account, change.parts);
  });
  const names = Object.keys(given);
  const what = `${names.join(' and ')} of ${account}`;
  if (kept === 'pair') {
    return said(deps, account, `Kept ${what}.`, null);
  }
  const other = given.key ? 'certificate' : 'key';
  const set = `lanyard secret set ${account}/${other} < FILE`;
  return kept === 'half'
    ? said(deps, account, `Kept ${what}.`, `its ${other} is missing: ${set}`)
    : said(
        deps,
        account,
        `Kept ${what} beside the pair in use.`,
        `it is used when its ${other} is set: ${set}`,
      );
}

function pairHint(account: string, code: string, given: Partial<Record<Half, Secret>>): string {
  switch (code) {
    case 'secret.keyEncrypted':
      return 'remove its passphrase first: openssl pkey -in KEY -out PLAIN-KEY';
    case 'secret.notYetValid':
      return 'nothing was changed; is this machine’s clock right?';
    case 'secret.mismatch': {
      const half = given.key ? 'key' : 'certificate';
      const both = `lanyard secret set ${account} < FILE, a PEM with both`;
      return given.key && given.certificate
        ? 'nothing was changed'
        : `nothing was changed; set certificate and key at once: ${both}; or one after the other: lanyard secret set ${account}/${half} --partial < FILE`;
    }
    default:
      return 'nothing was changed';
  }
}

function withParts(content: VaultContent, account: string, parts: Record<string, Secret>): VaultContent {
  return { ...content, secrets: { ...content.secrets, [account]: parts } };
}

function said(deps: KeepSecretDeps, account: string, text: string, hint: string | null): KeptSecret {
  deps.recorder.record({ kind: 'change', what: 'secret.set', name: account });
  deps.onChanged(account);
  return { text, hint };
}

/** Throws BrokerError (reason usage). */
export function nonEmpty(value: Secret): Secret {
  if (value.reveal().trim() === '') {
    throw new BrokerError('secret.empty', 'what was given is empty', { reason: 'usage' });
  }
  return value;
}

/** PEM, or a JWK. */
export function hasManyLines(part: string): boolean {
  return part === 'certificate' || part === 'key' || part === 'clientKey' || part === 'clientCertificate';
}

/** A token is one word, a password one line; a key keeps its lines. */
function trimmed(part: string, value: Secret): Secret {
  if (part === 'clientKey') {
    const parsed = parseClientKey(value);
    if (!parsed.ok) {
      throw new BrokerError('secret.clientKey', `the key ${parsed.fault}`, {
        reason: 'usage',
        hint: 'openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 makes one; the provider needs its public part',
      });
    }
    return new Secret(value.reveal().trim());
  }
  if (part.startsWith('env.')) {
    return variableValue(value);
  }
  if (oneWordParts.includes(part)) {
    const parsed = parseToken(value);
    if (!parsed.ok) {
      throw new BrokerError('secret.token', `the ${part} ${parsed.message}`, {
        reason: 'usage',
        hint: 'nothing was changed; leave out quotes, “Bearer” and line breaks',
      });
    }
    return parsed.token;
  }
  // A password may begin or end with spaces.
  // A byte order mark is an editor’s.
  const line = part === 'password' ? withoutLineEnd(value).replace(/^\uFEFF/, '') : value.reveal().trim();
  if (/[\r\n\0]/.test(line)) {
    throw new BrokerError('secret.lines', `a ${part} is one line, and more than one was given`, {
      reason: 'usage',
      hint: 'nothing was changed; give it alone, without line breaks',
    });
  }
  return new Secret(line);
}

/** One PEM with both, as TLS wants them. What isn't a pair, or has expired, takes the place of none. */
function clientCertificate(value: Secret, now: number): Secret {
  const source = { text: value, called: 'what was given' };
  const pair = readPair(source, source);
  if (!pair.ok) {
    throw new BrokerError('secret.pem', pair.message, { reason: 'usage' });
  }
  if (pair.life.expiresAt <= now) {
    const ended = `the certificate that was given expired at ${clockText(pair.life.expiresAt, now)}`;
    throw new BrokerError('secret.expired', ended, { reason: 'usage' });
  }
  return new Secret(`${pair.chainPem}${pair.keyPem.reveal()}`);
}

/** As it was given, but for the end of its last line: a variable may have many lines, and spaces at its ends. */
function variableValue(value: Secret): Secret {
  const text = withoutLineEnd(value);
  if (text.includes('\0') || Buffer.byteLength(text) > variableLimitBytes) {
    throw new BrokerError('secret.variable', 'a variable can hold no NUL, and 64 KiB at most', {
      reason: 'usage',
    });
  }
  return new Secret(text);
}

function withoutLineEnd(value: Secret): string {
  return value.reveal().replace(/\r?\n$/, '');
}

function certificateAndKey(account: string, value: Secret): Record<Half, Secret> {
  const [certificate, key] = [halfOf('certificate', value), halfOf('key', value)];
  if (certificate === null || key === null) {
    throw new BrokerError(
      'secret.pem',
      'what was given does not hold both a certificate and its key in PEM',
      {
        reason: 'usage',
        hint: `set them one after the other: lanyard secret set ${account}/certificate < FILE, lanyard secret set ${account}/key < FILE`,
      },
    );
  }
  return { certificate, key };
}
