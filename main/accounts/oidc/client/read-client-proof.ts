import type { Secret } from '../../../base/secret.ts';
import { type Refusal, refuse } from '../../../contract/refusal.ts';
import { clockText } from '../../../contract/ui/time-texts.ts';
import { parseClientKey } from '../../../domain/credential/client-key.ts';
import type { PairReader } from '../../../domain/credential/read-pair.ts';
import type { Clock } from '../../../ports/clock.ts';
import type { Vault } from '../../../ports/vault.ts';
import type { SecretFileReader } from '../../secret-file.ts';
import { clientCertificateOf, clientKeyOf } from '../session.ts';
import { readAssertion } from './assertion-file.ts';
import type { ClientCertificate, ClientProof } from './client-proof.ts';

export interface ClientProofDeps {
  name: string;
  /** Absolute; undefined: no other system proves who the client is. */
  assertionFile: string | undefined;
  vault: Pick<Vault, 'read'>;
  files: SecretFileReader;
  readPair: PairReader;
  clock: Pick<Clock, 'now'>;
}

/** All of it as it is now: files are read again, and so is the vault. Throws BrokerError while that isn't open. */
export async function readClientProof(
  deps: ClientProofDeps,
): Promise<{ ok: true; proof: ClientProof } | Refusal> {
  const { name, assertionFile, vault } = deps;
  const content = vault.read();
  const proof: ClientProof = { assertion: null, key: null, certificate: null };
  const key = clientKeyOf(content, name);
  if (key) {
    const parsed = parseClientKey(key);
    if (!parsed.ok) {
      return bad(name, 'clientKey', `the clientKey of ${name} ${parsed.fault}`);
    }
    proof.key = parsed.key;
  }
  const certificate = clientCertificateOf(content, name);
  if (certificate) {
    const read = readCertificate(deps, certificate);
    if (!read.ok) {
      return read;
    }
    proof.certificate = read.certificate;
  }
  if (assertionFile !== undefined) {
    const read = await readAssertion(assertionFile, deps);
    if (!read.ok) {
      return read;
    }
    proof.assertion = read.assertion;
  }
  return { ok: true, proof };
}

/** The certificate of RFC 8705 with its key. */
export function readCertificate(
  { name, readPair, clock }: Pick<ClientProofDeps, 'name' | 'readPair' | 'clock'>,
  pem: Secret,
): { ok: true; certificate: ClientCertificate } | Refusal {
  const source = { text: pem, called: `the clientCertificate of ${name}` };
  const pair = readPair(source, source);
  if (!pair.ok) {
    return bad(name, 'clientCertificate', pair.message);
  }
  const { chainPem, keyPem, life } = pair;
  return life.expiresAt <= clock.now()
    ? bad(
        name,
        'clientCertificate',
        `the clientCertificate of ${name} expired at ${clockText(life.expiresAt, clock.now())}`,
      )
    : { ok: true, certificate: { chainPem, keyPem, life } };
}

function bad(name: string, part: 'clientKey' | 'clientCertificate', message: string): Refusal {
  const code = part === 'clientKey' ? 'oidc.client.key' : 'oidc.client.certificate';
  return refuse('notFound', code, message, `set another one: lanyard secret set ${name}/${part} < FILE`);
}
