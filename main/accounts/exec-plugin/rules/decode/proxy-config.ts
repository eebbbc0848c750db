import { decodeStruct } from '../../../../domain/decode/go-struct.ts';
import type { GoStruct } from '../../../../domain/decode/go-type.ts';
import type { Tree, Unreadable } from '../../../../domain/decode/tree.ts';

/** `status.proxyConfig` as it is written; empty texts where it says nothing. */
export interface ProxyConfigStatus {
  url: string;
  /** Base64. */
  certificateAuthorityData: string;
}

/**
 * What KEP-2718 adds to an ExecCredential's status, decoded as all else of it. It is read apart from the rest: no
 * release of client-go knows it, so there it is an unknown field, and may be anything. Null: there is none.
 */
export function toProxyConfig(tree: Tree): { ok: true; proxyConfig: ProxyConfigStatus | null } | Unreadable {
  const decoded = decodeStruct(tree, execCredential);
  if (!decoded.ok) {
    return decoded;
  }
  const config = decoded.value.status?.proxyConfig ?? null;
  return {
    ok: true,
    proxyConfig: config && {
      url: config.url ?? '',
      certificateAuthorityData: config['certificate-authority-data'] ?? '',
    },
  };
}

const execCredential = {
  go: 'v1.ExecCredential',
  fields: {
    status: {
      go: 'v1.ExecCredentialStatus',
      isPointer: true,
      fields: {
        proxyConfig: {
          go: 'v1.ProxyConfig',
          isPointer: true,
          fields: { url: 'string', 'certificate-authority-data': 'string' },
        },
      },
    },
  },
} as const satisfies GoStruct;
