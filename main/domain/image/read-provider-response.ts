import { Secret } from '../../base/secret.ts';
import { decodeStruct } from '../decode/go-struct.ts';
import type { GoStruct } from '../decode/go-type.ts';
import { jsonTree } from '../decode/json-tree.ts';
import type { Tree } from '../decode/tree.ts';
import { typeMeta } from '../decode/type-meta.ts';
import { visibleText } from '../text/visible-text.ts';
import type { TokenCacheType } from './credential-provider.ts';
import { type CacheKeyType, responseKind as kind, type ProviderResponse } from './provider-response.ts';
import { groupVersion, type ProviderVersion } from './provider-versions.ts';

export type ReadProviderResponse = { ok: true; response: ProviderResponse } | { ok: false; message: string };

/** What the response must go with. */
export interface ResponseRequirements {
  /** That of the request. */
  apiVersion: ProviderVersion;
  /** What the request had, and how the provider’s answers for it are cached. */
  serviceAccount: { token: Secret; cacheType: TokenCacheType } | null;
}

/**
 * Reads what a plugin printed as the kubelet does (ExecPlugin and provide of
 * k8s.io/kubernetes/pkg/credentialprovider/plugin), in its words: JSON alone, of the request's version, without a field
 * that is unknown or comes twice. All that is wrong further in has one message, for the text may contain a password.
 */
export function readProviderResponse(
  stdout: Secret,
  { apiVersion, serviceAccount }: ResponseRequirements,
): ReadProviderResponse {
  const read = jsonTree(stdout.reveal());
  const typed = read.ok ? typeMeta(read.tree) : read;
  if (!read.ok || !typed.ok) {
    return failed(`error reading GVK from response: ${typed.ok ? '' : typed.message}`);
  }
  const version = groupVersion(typed.meta.apiVersion);
  if (version === null) {
    const said = visibleText(typed.meta.apiVersion, mostOfVersion);
    return failed(`error reading GVK from response: unexpected GroupVersion string: ${said}`);
  }
  if (version !== apiVersion) {
    return failed(
      `apiVersion from credential plugin response did not match expected apiVersion:${apiVersion}, ` +
        `actual apiVersion:${visibleText(version, mostOfVersion)}`,
    );
  }
  const decoded = typed.meta.kind === kind ? decode(read.tree) : null;
  if (decoded === null) {
    return failed('error decoding credential provider plugin response from stdout');
  }
  if (serviceAccount && serviceAccount.cacheType !== 'Token' && echoes(decoded.auth, serviceAccount.token)) {
    return wrong(
      'credential provider plugin returned the service account token as the password which is not allowed when ' +
        "service account cache type is not set to 'Token'",
    );
  }
  const { cacheKeyType } = decoded;
  return isCacheKeyType(cacheKeyType)
    ? { ok: true, response: { ...decoded, cacheKeyType } }
    : wrong(
        `credential provider plugin did not return a valid cacheKeyType: ${visibleText(cacheKeyType, mostOfVersion)}`,
      );
}

const mostOfVersion = 80;

/** k8s.io/kubelet/pkg/apis/credentialprovider: the same in all its versions. */
const responseStruct = {
  go: 'v1.CredentialProviderResponse',
  fields: {
    kind: 'string',
    apiVersion: 'string',
    cacheKeyType: { string: 'v1.PluginCacheKeyType' },
    cacheDuration: 'duration',
    auth: {
      map: { go: 'v1.AuthConfig', fields: { username: 'string', password: 'string' } },
      go: 'map[string]v1.AuthConfig',
    },
  },
} as const satisfies GoStruct;

interface Decoded extends Omit<ProviderResponse, 'cacheKeyType'> {
  cacheKeyType: string;
}

function decode(tree: Tree): Decoded | null {
  const decoded = decodeStruct(tree, responseStruct);
  if (!decoded.ok || decoded.strict.length > 0) {
    return null;
  }
  const { cacheKeyType, cacheDuration, auth } = decoded.value;
  const entries = [...(auth ?? [])].map(
    ([key, { username, password }]) =>
      [key, { userName: username ?? '', password: new Secret(password ?? '') }] as const,
  );
  return {
    cacheKeyType: cacheKeyType ?? '',
    cacheMilliseconds: typeof cacheDuration === 'bigint' ? Number(cacheDuration) / 1e6 : null,
    auth: new Map(entries),
  };
}

function echoes(auth: ProviderResponse['auth'], token: Secret): boolean {
  return !token.isEmpty && [...auth.values()].some(({ password }) => password.reveal() === token.reveal());
}

function isCacheKeyType(text: string): text is CacheKeyType {
  return text === 'Image' || text === 'Registry' || text === 'Global';
}

function failed(message: string): ReadProviderResponse {
  return wrong(`failed to get credential from external registry credential provider: ${message}`);
}

function wrong(message: string): ReadProviderResponse {
  return { ok: false, message };
}
