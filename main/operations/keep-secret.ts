import { createPrivateKey, X509Certificate } from 'node:crypto';
import { Secret } from '../base/secret.ts';
import { BrokerError } from '../contract/broker-error.ts';
import { parseClientKey } from '../domain/client-key.ts';
import { splitPem } from '../domain/split-pem.ts';
import type { Recorder } from '../ports/history.ts';
import type { Vault } from '../ports/vault.ts';
import type { SecretTarget } from './secret-target.ts';

/** As in config.yaml: Linux takes 128 KiB for each variable with its name. */
const variableLimitBytes = 64 * 1024;

export interface KeepSecretDeps {
  vault: Pick<Vault, 'read' | 'update'>;
  recorder: Recorder;
  onChanged(account: string): void;
}

/** What was kept, in a sentence, and what is still to be done. */
export interface KeptSecret {
  text: string;
  hint: string | null;
}

/** Keeps what a person gave for an account in the vault. Throws BrokerError (reason usage, locked). */
export async function keepSecret(
  deps: KeepSecretDeps,
  { account, part }: SecretTarget,
  value: Secret,
): Promise<KeptSecret> {
  const parts = part === null ? certificateAndKey(value) : { [part]: trimmed(part, value) };
  await deps.vault.update((content) => ({
    ...content,
    secrets: { ...content.secrets, [account]: { ...content.secrets[account], ...parts } },
  }));
  deps.recorder.record({ kind: 'change', what: 'secret.set', name: account });
  deps.onChanged(account);
  return { text: `Kept ${Object.keys(parts).join(' and ')} of ${account}.`, hint: mismatch(deps, account) };
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
  return part === 'certificate' || part === 'key' || part === 'clientKey';
}

/** A token or password is one line; PEM keeps its lines. */
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
  if (part === 'certificate' || part === 'key') {
    const { certificates, key } = splitPem(value.reveal());
    if (part === 'certificate' ? certificates.length === 0 : key === null) {
      throw new BrokerError('secret.pem', `what was given holds no ${part} in PEM`, { reason: 'usage' });
    }
    return new Secret(part === 'certificate' ? certificates.join('') : (key ?? ''));
  }
  if (part.startsWith('env.')) {
    return variableValue(value);
  }
  const line = value.reveal().trim();
  if (/[\r\n\0]/.test(line)) {
    throw new BrokerError('secret.lines', `a ${part} is one line, and more than one was given`, {
      reason: 'usage',
    });
  }
  return new Secret(line);
}

/** As it was given, but for the end of its last line: a variable may have many lines, and spaces at its ends. */
function variableValue(value: Secret): Secret {
  const text = value.reveal().replace(/\r?\n$/, '');
  if (text.includes('\0') || Buffer.byteLength(text) > variableLimitBytes) {
    throw new BrokerError('secret.variable', 'a variable can hold no NUL, and 64 KiB at most', {
      reason: 'usage',
    });
  }
  return new Secret(text);
}

function certificateAndKey(value: Secret): Record<string, Secret> {
  const { certificates, key } = splitPem(value.reveal());
  if (certificates.length === 0 || key === null) {
    throw new BrokerError(
      'secret.pem',
      'what was given does not hold both a certificate and its key in PEM',
      {
        reason: 'usage',
        hint: 'set them one by one: lanyard secret set ACCOUNT/certificate, lanyard secret set ACCOUNT/key',
      },
    );
  }
  return { certificate: new Secret(certificates.join('')), key: new Secret(key) };
}

/** People set the two parts one after the other: a pair that doesn't match yet is kept, and said. */
function mismatch(deps: KeepSecretDeps, account: string): string | null {
  const { certificate, key } = deps.vault.read().secrets[account] ?? {};
  return certificate && key && !belongTogether(certificate, key)
    ? `the key and the certificate of ${account} don't belong together yet: set the other one`
    : null;
}

function belongTogether(certificate: Secret, key: Secret): boolean {
  try {
    return new X509Certificate(certificate.reveal()).checkPrivateKey(createPrivateKey(key.reveal()));
  } catch {
    return false;
  }
}
