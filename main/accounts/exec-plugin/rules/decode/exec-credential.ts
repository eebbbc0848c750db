import { decodeStruct } from '../../../../domain/decode/go-struct.ts';
import type { GoStruct, GoValue } from '../../../../domain/decode/go-type.ts';
import type { Tree, Unreadable } from '../../../../domain/decode/tree.ts';
import { typeMeta } from '../../../../domain/decode/type-meta.ts';
import { visibleText } from '../../../../domain/text/visible-text.ts';

const group = 'client.authentication.k8s.io';
/** What client-go fills in where a plugin says no version: no configuration's. */
const internal = `${group}/__internal`;
const known = new Set([`${group}/v1`, `${group}/v1beta1`, `${group}/v1alpha1`, internal]);

/** What client-go has of an ExecCredential's status; empty texts where it says nothing. */
export interface CredentialStatus {
  token: string;
  clientCertificateData: string;
  clientKeyData: string;
  /** Milliseconds since 1970. */
  expirationTimestamp: number | null;
}

export interface ExecCredential {
  apiVersion: string;
  status: CredentialStatus | null;
}

/**
 * An ExecCredential as apimachinery's decoder makes it: `kind` and `apiVersion` are first looked for in any case,
 * and all names then only as they are written.
 */
export function toExecCredential(tree: Tree): { ok: true; credential: ExecCredential } | Unreadable {
  const read = typeMeta(tree);
  if (!read.ok) {
    return read;
  }
  const kind = read.meta.kind || 'ExecCredential';
  const isUnsaid = ['', '/', `${group}/`].includes(read.meta.apiVersion);
  const apiVersion = isUnsaid ? internal : read.meta.apiVersion;
  if (!known.has(apiVersion) || kind !== 'ExecCredential') {
    return { ok: false, message: unknownKind(kind, apiVersion) };
  }
  if (apiVersion === internal) {
    return { ok: true, credential: { apiVersion, status: null } };
  }
  const decoded = decodeStruct(tree, execCredential);
  return decoded.ok
    ? { ok: true, credential: { apiVersion, status: toStatus(decoded.value.status) } }
    : decoded;
}

/** In client-go's words where the plugin's are a kind's and a version's, most likely: they are told. */
function unknownKind(kind: string, apiVersion: string): string {
  return [kind, apiVersion].every((word) => /^[\w./-]{1,60}$/.test(word))
    ? `no kind "${visibleText(kind)}" is registered for version "${visibleText(apiVersion)}"`
    : 'no such kind is registered for an exec plugin';
}

function toStatus(status: GoValue<typeof execCredential>['status']): CredentialStatus | null {
  return status
    ? {
        token: status.token ?? '',
        clientCertificateData: status.clientCertificateData ?? '',
        clientKeyData: status.clientKeyData ?? '',
        expirationTimestamp: status.expirationTimestamp ?? null,
      }
    : null;
}

/** k8s.io/client-go/pkg/apis/clientauthentication: the same in all its versions. */
const execCredential = {
  go: 'v1.ExecCredential',
  fields: {
    kind: 'string',
    apiVersion: 'string',
    spec: {
      go: 'v1.ExecCredentialSpec',
      fields: {
        interactive: 'bool',
        cluster: {
          go: 'v1.Cluster',
          isPointer: true,
          fields: {
            server: 'string',
            'tls-server-name': 'string',
            'insecure-skip-tls-verify': 'bool',
            'certificate-authority-data': 'bytes',
            'proxy-url': 'string',
            'disable-compression': 'bool',
            config: 'any',
          },
        },
      },
    },
    status: {
      go: 'v1.ExecCredentialStatus',
      isPointer: true,
      fields: {
        expirationTimestamp: 'time',
        token: 'string',
        clientCertificateData: 'string',
        clientKeyData: 'string',
      },
    },
  },
} as const satisfies GoStruct;
