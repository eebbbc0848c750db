import type { Secret } from '../../../base/secret.ts';
import type { OidcAccountConfig } from '../../../contract/config/accounts/oidc.ts';
import { type Refusal, refuse } from '../../../contract/refusal.ts';
import { clockText } from '../../../contract/ui/time-texts.ts';
import { parseClientKey } from '../../../domain/credential/client-key.ts';
import type { PairReader } from '../../../domain/credential/read-pair.ts';
import type { Clock } from '../../../ports/clock.ts';
import type { HeldKeys } from '../../../ports/held-keys.ts';
import type { Vault, VaultContent } from '../../../ports/vault.ts';
import type { SecretFileReader } from '../../secret-file.ts';
import { clientCertificateOf, clientKeyOf } from '../session.ts';
import { readAssertion } from './assertion-file.ts';
import type { ClientKeysConfig } from './client-keys.ts';
import type { ClientCertificate, ClientProof } from './client-proof.ts';
import { heldClientKey } from './held-client-key.ts';

export interface ClientProofDeps {
  name: string;
  /** `clientAssertionFile`: absolute. */
  config: ClientKeysConfig & Pick<OidcAccountConfig, 'clientAssertionFile' | 'clientKeyId'>;
  vault: Pick<Vault, 'read'>;
  files: SecretFileReader;
  readPair: PairReader;
  /** The keys of the accounts that config.yaml names. */
  heldKeys: Pick<HeldKeys, 'open' | 'sign'>;
  /** The file of lanyard-proxy, which speaks TLS with them; absolute. */
  proxyProgram: string;
  clock: Pick<Clock, 'now'>;
}

/**
 * All of it as it is now: files are read again, and so is the vault. A key on a token counts before one in the vault. Throws
 * BrokerError while the vault isn't open.
 */
export async function readClientProof(
  deps: ClientProofDeps,
): Promise<{ ok: true; proof: ClientProof } | Refusal> {
  const { config, vault } = deps;
  const content = vault.read();
  const key = await readKey(deps, content);
  if (!key.ok) {
    return key;
  }
  const certificate = await readAnyCertificate(deps, content);
  if (!certificate.ok) {
    return certificate;
  }
  const file = config.clientAssertionFile;
  const assertion = file === undefined ? null : await readAssertion(file, deps);
  return assertion?.ok === false
    ? assertion
    : {
        ok: true,
        proof: {
          assertion: assertion?.assertion ?? null,
          key: key.key,
          certificate: certificate.certificate,
        },
      };
}

async function readKey(
  { name, config, heldKeys }: ClientProofDeps,
  content: VaultContent,
): Promise<{ ok: true; key: ClientProof['key'] } | Refusal> {
  if (config.clientKeyAccount !== undefined) {
    const opened = await heldKeys.open(config.clientKeyAccount);
    return opened.ok
      ? { ok: true, key: heldClientKey(opened.certificate, config.clientKeyId ?? null, heldKeys) }
      : opened;
  }
  const text = clientKeyOf(content, name);
  const parsed = text && parseClientKey(text);
  return parsed?.ok === false
    ? bad(name, 'clientKey', `the clientKey of ${name} ${parsed.fault}`)
    : { ok: true, key: parsed?.key ?? null };
}

async function readAnyCertificate(
  deps: ClientProofDeps,
  content: VaultContent,
): Promise<{ ok: true; certificate: ClientProof['certificate'] } | Refusal> {
  const { name, config, heldKeys, proxyProgram, clock } = deps;
  if (config.clientCertificateAccount === undefined) {
    const pem = clientCertificateOf(content, name);
    return pem ? readCertificate(deps, pem) : { ok: true, certificate: null };
  }
  const opened = await heldKeys.open(config.clientCertificateAccount);
  if (!opened.ok) {
    return opened;
  }
  const { certificate, life } = opened;
  return life.expiresAt <= clock.now()
    ? refuse(
        'provider',
        'oidc.client.certificate',
        `the certificate of ${certificate.account} expired at ${clockText(life.expiresAt, clock.now())}`,
        'put the renewed certificate on the token, or name its file',
      )
    : {
        ok: true,
        certificate: {
          ...certificate,
          life,
          program: proxyProgram,
          sign: (asked, signal) => heldKeys.sign(certificate.account, asked, signal),
        },
      };
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
