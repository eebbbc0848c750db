import type { Secret } from '../../base/secret.ts';
import type { ClientCertificateAccountConfig } from '../../contract/config/accounts/kept-credentials.ts';
import { nextHalf } from '../../domain/credential/change-pair.ts';
import type { PairProblem, PairReader, PairSource, ReadPair } from '../../domain/credential/read-pair.ts';
import { closeCommand } from '../../domain/text/close-command.ts';
import type { Vault } from '../../ports/vault.ts';
import type { SecretFile, SecretFileProblem, SecretFileReader } from '../secret-file.ts';

export type LoadedPair =
  | (Extract<ReadPair, { ok: true }> & { warning: string | null })
  | { ok: false; code: PairProblem | 'missing' | 'certificateMissing' | 'unreadable'; message: string };

type Loaded = { ok: true; source: PairSource; file: SecretFile } | Extract<LoadedPair, { ok: false }>;

/** The pair as the vault has it: `lanyard secret set NAME/certificate` and `NAME/key`. */
export function pairFromVault(name: string, vault: Pick<Vault, 'read'>, readPair: PairReader): LoadedPair {
  const secrets = vault.read().secrets[name] ?? {};
  const { certificate, key } = secrets;
  if (!certificate) {
    return key
      ? { ok: false, code: 'certificateMissing', message: `${name} has a key and no certificate` }
      : { ok: false, code: 'missing', message: `${name} has no certificate yet` };
  }
  if (!key) {
    return { ok: false, code: 'keyMissing', message: `${name} has a certificate and no key` };
  }
  const pair = readPair(
    { text: certificate, called: `${name}/certificate` },
    { text: key, called: `${name}/key` },
  );
  return pair.ok ? { ...pair, warning: waitingHalf(name, secrets) } : pair;
}

/** A half that was set with --partial, and isn't used before its other half comes. */
function waitingHalf(name: string, secrets: Readonly<Record<string, Secret>>): string | null {
  const [half, other] = secrets[nextHalf.certificate]
    ? (['certificate', 'key'] as const)
    : (['key', 'certificate'] as const);
  return secrets[nextHalf[half]]
    ? `a new ${half} isn’t used until its ${other} is set: lanyard secret set ${name}/${other} < FILE`
    : null;
}

/** The pair as it is in files; without `keyFile` the certificate's file holds both. */
export async function pairFromFiles(
  config: ClientCertificateAccountConfig,
  files: SecretFileReader,
  readPair: PairReader,
): Promise<LoadedPair> {
  const { certificateFile, keyFile } = config;
  if (certificateFile === undefined) {
    return {
      ok: false,
      code: 'certificateMissing',
      message: 'keyFile is set, and certificateFile is not',
    };
  }
  const certificate = load(certificateFile, await files.read(certificateFile));
  const key = keyFile === undefined ? certificate : load(keyFile, await files.read(keyFile));
  if (!certificate.ok) {
    return certificate;
  }
  if (!key.ok) {
    return key;
  }
  const pair = readPair(certificate.source, key.source);
  const path = key.source.called;
  const warning = key.file.readByOthers
    ? `${path} may be read by other users: ${closeCommand(path, 'file')}`
    : null;
  return pair.ok ? { ...pair, warning } : pair;
}

function load(path: string, file: SecretFile | SecretFileProblem): Loaded {
  return file.ok
    ? { ok: true, source: { text: file.text, called: path }, file }
    : { ok: false, code: 'unreadable', message: `${path} ${file.message}` };
}
