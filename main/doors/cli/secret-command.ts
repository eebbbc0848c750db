import { createPrivateKey, X509Certificate } from 'node:crypto';
import { Secret } from '../../base/secret.ts';
import { BrokerError } from '../../contract/broker-error.ts';
import { parseClientKey } from '../../domain/client-key.ts';
import { splitPem } from '../../domain/split-pem.ts';
import type { ConfigStore } from '../../ports/config-store.ts';
import type { Recorder } from '../../ports/history.ts';
import type { Vault } from '../../ports/vault.ts';
import { type Command, type CommandCall, done, parseWords, usageError } from './command.ts';
import { secretTarget } from './secret-target.ts';

const secretLimitBytes = 1024 * 1024;
/** As in config.yaml: Linux takes 128 KiB for each variable with its name. */
const variableLimitBytes = 64 * 1024;

export interface SecretCommandDeps {
  config: Pick<ConfigStore, 'current'>;
  vault: Pick<Vault, 'read' | 'update'>;
  recorder: Recorder;
  onChanged(account: string): void;
}

/** `lanyard secret set ACCOUNT[/PART]`: from stdin, or from the terminal without echo. Never from a word of the command line. */
export function secretSetCommand(deps: SecretCommandDeps): Command {
  return async (call) => {
    if (call.args.length > 1) {
      // What is too much may be the secret itself: it isn't repeated.
      throw usageError('secret set', 'it takes ACCOUNT alone; the secret comes from standard input');
    }
    const { positionals } = parseWords('secret set', call.args, ['ACCOUNT'], {});
    const { account, part } = secretTarget(positionals[0] ?? '', deps.config);
    // Looked at before the person types: a locked vault must not swallow what was typed.
    deps.vault.read();
    const value = await readValue(call, account, part);
    const parts = part === null ? certificateAndKey(value) : { [part]: trimmed(part, value) };
    await deps.vault.update((content) => ({
      ...content,
      secrets: { ...content.secrets, [account]: { ...content.secrets[account], ...parts } },
    }));
    deps.recorder.record({ kind: 'change', what: 'secret.set', name: account });
    deps.onChanged(account);
    return done(
      undefined,
      `Kept ${Object.keys(parts).join(' and ')} of ${account}.${mismatch(deps, account)}`,
    );
  };
}

async function readValue(call: CommandCall, account: string, part: string | null): Promise<Secret> {
  call.terminal.extend(600);
  const fromStdin = await call.terminal.readStdin(secretLimitBytes);
  if (fromStdin) {
    return nonEmpty(fromStdin);
  }
  if (part === null || hasManyLines(part)) {
    throw usageError('secret set', 'PEM has many lines: give it on standard input (< FILE)');
  }
  const typed = await call.terminal.ask(`${part} of ${account} (not shown): `);
  if (!typed) {
    throw new BrokerError('secret.none', 'nothing was given', {
      reason: 'usage',
      hint: 'give it on standard input',
    });
  }
  return nonEmpty(typed);
}

function nonEmpty(value: Secret): Secret {
  if (value.reveal().trim() === '') {
    throw new BrokerError('secret.empty', 'what was given is empty', { reason: 'usage' });
  }
  return value;
}

/** PEM, or a JWK. */
function hasManyLines(part: string): boolean {
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
function mismatch(deps: SecretCommandDeps, account: string): string {
  const { certificate, key } = deps.vault.read().secrets[account] ?? {};
  return certificate && key && !belongTogether(certificate, key)
    ? `\nhint: the key and the certificate of ${account} don't belong together yet: set the other one`
    : '';
}

function belongTogether(certificate: Secret, key: Secret): boolean {
  try {
    return new X509Certificate(certificate.reveal()).checkPrivateKey(createPrivateKey(key.reveal()));
  } catch {
    return false;
  }
}
