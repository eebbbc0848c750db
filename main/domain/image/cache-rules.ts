import { createHash } from 'node:crypto';
import type { Secret } from '../../base/secret.ts';
import { toBytes } from '../decode/go-quote.ts';
import { buildKey, type CacheKey } from './cache-key.ts';
import type { TokenCacheType } from './credential-provider.ts';
import type { CacheKeyType, ProviderResponse } from './provider-response.ts';

/** A pull for a service account, by a provider that has `tokenAttributes`. */
export interface ServiceAccountPull {
  namespace: string;
  name: string;
  uid: string;
  /** Those that the provider's configuration names. */
  annotations: ReadonlyMap<string, string>;
  token: Secret;
  cacheType: TokenCacheType;
}

/** An answer is kept until then, inclusive. Milliseconds since 1970, with fractions. */
export interface CachePlace {
  key: string;
  expiresAt: number;
}

/** Brackets keep it apart from images and registries. */
const globalKey = '<global>';

/** The expired answers of a provider are removed at its first pull after so long. */
export const sweepMilliseconds = 15 * 60_000;

/** The keys that are looked up for a pull, in this order: image, registry with port, global. */
export function triedKeys(
  image: string,
  pull: ServiceAccountPull | null,
): { ok: true; keys: string[] } | { ok: false; message: string } {
  const account = accountKey(pull);
  if (!account.ok) {
    return account;
  }
  const keys: string[] = [];
  for (const type of ['Image', 'Registry', 'Global'] as const) {
    const built = buildKey([baseKey(image, type), account.key]);
    if (!built.ok) {
      return {
        ok: false,
        message: `failed to get cached docker config: error generating cache key: ${built.message}`,
      };
    }
    keys.push(built.key);
  }
  return { ok: true, keys };
}

/**
 * Where an answer is kept, and until when; null: nowhere, for its duration is 0, or it has none and the default is 0. An
 * answer without credentials is kept as any other. A negative duration is over at once.
 */
export function cachePlace(
  image: string,
  pull: ServiceAccountPull | null,
  { cacheKeyType, cacheMilliseconds }: Pick<ProviderResponse, 'cacheKeyType' | 'cacheMilliseconds'>,
  { now, defaultCacheMilliseconds }: { now: number; defaultCacheMilliseconds: number },
): CachePlace | null {
  const duration = cacheMilliseconds ?? defaultCacheMilliseconds;
  const account = accountKey(pull);
  // A key that can't be built was refused by `triedKeys`.
  const built = account.ok ? buildKey([baseKey(image, cacheKeyType), account.key]) : account;
  return duration === 0 || !built.ok ? null : { key: built.key, expiresAt: now + duration };
}

export function isExpired({ expiresAt }: Pick<CachePlace, 'expiresAt'>, now: number): boolean {
  return now > expiresAt;
}

/** Whether a provider’s cache is swept at a pull: before its keys are looked up. */
export function isSweepDue(lastSweep: number, now: number): boolean {
  return now > lastSweep + sweepMilliseconds;
}

/** Pulls of one provider with one key wait for one run of its plugin. */
export function flightKey(image: string, pull: ServiceAccountPull | null): CacheKey {
  if (!pull) {
    return { ok: true, key: toBytes(image) };
  }
  const built = buildKey([toBytes(image), tokenHash(pull.token), pull.annotations]);
  return built.ok ? built : { ok: false, message: `error generating singleflight key: ${built.message}` };
}

function baseKey(image: string, type: CacheKeyType): string {
  const [registry = ''] = image.split('/', 1);
  return type === 'Global' ? globalKey : toBytes(type === 'Image' ? image : registry);
}

function accountKey(pull: ServiceAccountPull | null): CacheKey {
  if (!pull) {
    return { ok: true, key: '' };
  }
  const { namespace, name, uid, annotations, token, cacheType } = pull;
  const byToken = cacheType === 'Token' ? ['token', tokenHash(token)] : [];
  const built = buildKey([...[namespace, name, uid].map(toBytes), annotations, ...byToken]);
  return built.ok
    ? { ok: true, key: built.key }
    : { ok: false, message: `error generating service account cache key: ${built.message}` };
}

function tokenHash(token: Secret): string {
  return token.isEmpty ? '' : `sha256:${createHash('sha256').update(token.reveal()).digest('hex')}`;
}
