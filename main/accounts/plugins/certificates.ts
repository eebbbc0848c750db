import { X509Certificate } from 'node:crypto';
import { certificateLife } from '../../domain/credential/certificate-life.ts';
import type { TargetName } from '../../domain/target/target.ts';
import type { Credential } from '../../ports/account.ts';
import type { ConfigStore, LoadedAccount } from '../../ports/config-store.ts';

/** A cached credential, and the target that shaped it; null: it is for any. */
export interface CachedCredential {
  target: TargetName | null;
  credential: Credential;
  /** Names of the caller’s variables that shaped it; absent: none did. */
  variables?: readonly string[];
}

export function isPlugin(account: LoadedAccount | undefined): boolean {
  return account !== undefined && 'execPlugin' in account.config;
}

/** An expired one is not renewed for longer; until then a failing renewal shows as such. */
const endedMilliseconds = 86_400_000;

/**
 * NotAfter of each cached client certificate of wrapped plugins, in milliseconds since 1970. An expired one counts
 * until the next replaces it; client-go's metric has it for ever, this has it for a day.
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
