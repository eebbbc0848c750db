import { Secret } from '../../base/secret.ts';
import { decodeStruct } from '../decode/go-struct.ts';
import type { GoStruct } from '../decode/go-type.ts';
import { jsonTree } from '../decode/json-tree.ts';
import { typeMeta } from '../decode/type-meta.ts';
import { visibleText } from '../text/visible-text.ts';
import { groupVersion, isProviderVersion, type ProviderVersion, tokenVersion } from './provider-versions.ts';

/** What the kubelet asks of a provider. */
export interface ProviderRequest {
  apiVersion: ProviderVersion;
  /** With registry and path, without tag and digest. */
  image: string;
  /** Null: none, as in all versions but v1. */
  serviceAccountToken: Secret | null;
  serviceAccountAnnotations: ReadonlyMap<string, string>;
}

export type ReadProviderRequest = { ok: true; request: ProviderRequest } | { ok: false; message: string };

const kind = 'CredentialProviderRequest';
const group = 'credentialprovider.kubelet.k8s.io';
const mostShown = 80;

/** The text for a plugin's standard input: what is empty is left out, and a token in any version but v1. */
export function encodeProviderRequest(request: ProviderRequest): Secret {
  const { apiVersion, image, serviceAccountToken: token, serviceAccountAnnotations: annotations } = request;
  const isWithToken = apiVersion === tokenVersion;
  const text = JSON.stringify({
    kind,
    apiVersion,
    image,
    ...(isWithToken && token && !token.isEmpty ? { serviceAccountToken: token.reveal() } : {}),
    ...(isWithToken && annotations.size > 0
      ? {
          serviceAccountAnnotations: Object.fromEntries(
            [...annotations].sort(([a], [b]) => (a < b ? -1 : 1)),
          ),
        }
      : {}),
  });
  return new Secret(`${text}\n`);
}

/**
 * Reads what a kubelet asks, in the words of providers that are built with the kubelet's types: JSON of one of the three
 * versions. An unknown field is ignored, as by their decoders, which aren't strict: v1 has got two fields since its first
 * release, and a kubelet that is newer than Lanyard must still be served.
 */
export function readProviderRequest(stdin: Secret): ReadProviderRequest {
  const read = jsonTree(stdin.reveal());
  const typed = read.ok ? typeMeta(read.tree) : read;
  if (!read.ok || !typed.ok) {
    return wrong(typed.ok ? '' : typed.message);
  }
  const version = groupVersion(typed.meta.apiVersion) ?? '';
  if (!isProviderVersion(version)) {
    return wrong(
      version === ''
        ? "Object 'apiVersion' is missing"
        : version.startsWith(`${group}/`)
          ? `group version ${visibleText(version, mostShown)} is not supported`
          : `group was "${visibleText(version.replace(/\/.*/s, ''), mostShown)}", expected ${group}`,
    );
  }
  if (typed.meta.kind !== kind) {
    return wrong(`kind was "${visibleText(typed.meta.kind, mostShown)}", expected ${kind}`);
  }
  const decoded = decodeStruct(read.tree, requestStruct);
  if (!decoded.ok) {
    return wrong(decoded.message);
  }
  const { image, serviceAccountToken, serviceAccountAnnotations } = decoded.value;
  if (!image) {
    return wrong('image in plugin request was empty');
  }
  const isWithToken = version === tokenVersion;
  return {
    ok: true,
    request: {
      apiVersion: version,
      image,
      serviceAccountToken: isWithToken && serviceAccountToken ? new Secret(serviceAccountToken) : null,
      serviceAccountAnnotations: (isWithToken && serviceAccountAnnotations) || new Map(),
    },
  };
}

/** k8s.io/kubelet/pkg/apis/credentialprovider/v1; the earlier versions have the image alone. */
const requestStruct = {
  go: 'v1.CredentialProviderRequest',
  fields: {
    kind: 'string',
    apiVersion: 'string',
    image: 'string',
    serviceAccountToken: 'string',
    serviceAccountAnnotations: { map: 'string', go: 'map[string]string' },
  },
} as const satisfies GoStruct;

function wrong(message: string): ReadProviderRequest {
  return { ok: false, message };
}
