import { X509Certificate } from 'node:crypto';
import { certificateLife } from '../../domain/credential/certificate-life.ts';
import type { TargetName } from '../../domain/target/target.ts';
import type { Credential } from '../../ports/account.ts';
import type { ConfigStore, LoadedAccount } from '../../ports/config-store.ts';

/** A credential that is held now, and the target that shaped it; null: it serves any. */
export interface CachedCredential {
  target: TargetName | null;
  credential: Credential;
}

export function isPlugin(account: LoadedAccount | undefined): boolean {
  return account !== undefined && 'execPlugin' in account.config;
}

/** Nobody renews for longer what has ended; a renewal that fails is seen as one until then. */
const endedMilliseconds = 86_400_000;

/**
 * NotAfter of each client certificate that wrapped plugins gave and that is held now, milliseconds since 1970. One that
 * ended is held until the next takes its place; client-go's metric has it for ever, this has it for a day.
 */
export function pluginCertificateEnds(
  config: Pick<ConfigStore, 'current'>,
  heldOf: (accountName: string) => readonly CachedCredential[],
  now: number,
): number[] {
  return [...config.current().accounts.values()]
    .filter(isPlugin)
    .flatMap(({ name }) => heldOf(name))
    .flatMap(({ credential }) => certificateEnd(credential) ?? [])
    .filter((end) => end > now - endedMilliseconds);
}

/** NotAfter of the client certificate, the first of its chain; milliseconds since 1970. */
export function certificateEnd({ certificate }: Credential): number | null {
  try {
    return certificate === null ? null : certificateLife(new X509Certificate(certificate.chainPem)).expiresAt;
  } catch {
    return null;
  }
}
