import type { Secret } from '../../base/secret.ts';
import { jwtLife } from '../../domain/credential/jwt-life.ts';
import { parseToken } from '../../domain/credential/parse-token.ts';
import type { SecretReference } from '../../domain/inventory/secret-reader.ts';
import {
  parseServerRewrites,
  rewrittenServer,
  type ServerRewriteConfig,
} from '../../domain/inventory/server-rewrite.ts';
import type { LoadedCluster } from '../../domain/loaded-config.ts';
import type { DestinationMatcher } from '../../domain/server/destination.ts';
import { normalizeServerUrl } from '../../domain/server/server-url.ts';
import type { Unpromised } from '../plugins/without-expiry.ts';
import { readStoredKubeconfig, type StoredContext } from './rules/stored-kubeconfig.ts';

/** `fault`: a sentence’s end that follows the Secret’s name. Nothing of the Secret is in it. */
export type ReadValue = { ok: true; credential: Unpromised } | { ok: false; code: string; fault: string };

/** The token that a Secret has. */
export function tokenIn(text: Secret, { key }: Pick<SecretReference, 'key'>): ReadValue {
  return credentialOf(text, null, `has a ${key} that`);
}

/**
 * The credential of a stored kubeconfig’s context, which must be for the very cluster that asks: with another server, CA
 * or proxy it is another cluster’s. `rewrites`: those of the inventory that the cluster is of, whose hub publishes servers
 * by the names of its own network; a Secret of that hub may have them, too.
 */
export function credentialInKubeconfig(
  text: Secret,
  { context }: Pick<SecretReference, 'context'>,
  cluster: LoadedCluster,
  {
    matcher,
    rewrites,
  }: { matcher: Pick<DestinationMatcher, 'match'>; rewrites: readonly ServerRewriteConfig[] },
): ReadValue {
  const read = readStoredKubeconfig(text, context);
  if (!read.ok) {
    return { ok: false, code: 'kubeconfig', fault: `has a kubeconfig that ${read.fault}` };
  }
  const stated = read.context.cluster;
  const normalized = normalizeServerUrl(stated.server);
  const server = normalized.ok ? rewrittenServer(normalized.url, parseServerRewrites(rewrites)) : null;
  const matched = matcher.match({ ...stated, server: server ?? stated.server }, cluster);
  if (!matched.ok) {
    const fields = matched.fields.join(', ');
    return {
      ok: false,
      code: 'otherCluster',
      fault: `has a kubeconfig for another cluster than ${cluster.name}: it differs in ${fields}`,
    };
  }
  const { token, certificate } = read.context;
  return credentialOf(token, certificate, 'has a kubeconfig with a token that');
}

function credentialOf(
  text: Secret | null,
  certificate: StoredContext['certificate'],
  what: string,
): ReadValue {
  const token = text && parseToken(text);
  if (token && !token.ok) {
    return { ok: false, code: 'token', fault: `${what} ${token.message}` };
  }
  const life = token ? jwtLife(token.token.reveal()) : null;
  const ends = [certificate?.life.expiresAt, life?.expiresAt].filter((each) => typeof each === 'number');
  return {
    ok: true,
    credential: {
      token: token?.token ?? null,
      certificate: certificate && { chainPem: certificate.chainPem, keyPem: certificate.keyPem },
      issuedAt: certificate?.life.issuedAt ?? life?.issuedAt ?? null,
      ownExpiry: ends.length === 0 ? null : Math.min(...ends),
    },
  };
}
