import { Secret } from '../../base/secret.ts';
import { formatGoDuration } from '../decode/go-duration.ts';
import type { ProviderVersion } from './provider-versions.ts';

export const responseKind = 'CredentialProviderResponse';

/** What a provider says of an image. */
export interface ProviderResponse {
  cacheKeyType: CacheKeyType;
  /** Milliseconds, with fractions; null: the provider's default. */
  cacheMilliseconds: number | null;
  /** By `auth` key, in the order of the text; empty where it has none. */
  auth: ReadonlyMap<string, RegistryCredential>;
}

export type CacheKeyType = 'Image' | 'Registry' | 'Global';

/** Both may be empty. */
export interface RegistryCredential {
  userName: string;
  password: Secret;
}

/** The response that Lanyard prints as a provider; `auth` null: it has no credential for the image. */
export function encodeProviderResponse(
  apiVersion: ProviderVersion,
  { cacheKeyType, cacheMilliseconds, auth }: ProviderResponse,
): Secret {
  const entries = [...auth].map(([key, { userName, password }]) => [
    key,
    { username: userName, password: password.reveal() },
  ]);
  const duration =
    cacheMilliseconds === null ? {} : { cacheDuration: formatGoDuration(nanoseconds(cacheMilliseconds)) };
  const response = {
    kind: responseKind,
    apiVersion,
    cacheKeyType,
    ...duration,
    auth: entries.length === 0 ? null : Object.fromEntries(entries),
  };
  return new Secret(`${JSON.stringify(response)}\n`);
}

/** Rounded down: a kubelet must not keep a credential longer than it lives. */
function nanoseconds(milliseconds: number): bigint {
  return BigInt(Math.floor(milliseconds * 1e6));
}
