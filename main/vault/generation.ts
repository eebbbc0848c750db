import { randomBytes } from 'node:crypto';
import { BrokerError } from '../contract/broker-error.ts';
import type { RequestProxyKeys, VaultContent } from '../ports/vault.ts';
import { emptyContent, parseContent, serializeContent } from './content.ts';
import {
  type Broken,
  broken,
  encodeFile,
  encodePrefix,
  fileLimitBytes,
  loginMark,
  type VaultHeader,
  type VaultParts,
} from './format.ts';
import { seal, unseal } from './seal.ts';

/** A vault whose data key is in memory. */
export interface OpenedGeneration {
  kind: 'opened';
  header: VaultHeader;
  dataKey: Buffer;
  content: VaultContent;
}

/**
 * Seals a generation as a whole file, under a fresh nonce for each call. Also returns its header, with the marks of the
 * stored entries, and the content as it will be read back. `known`: the content of an earlier generation.
 */
export function sealGeneration(
  { logins: _, ...rest }: VaultHeader,
  dataKey: Buffer,
  content: VaultContent,
  known?: VaultContent,
): { file: Buffer; header: VaultHeader; content: VaultContent } {
  const logins = Object.keys(content.registryLogins).map((key) => loginMark(rest.id, key));
  const header = logins.length > 0 ? { ...rest, logins: logins.sort() } : rest;
  const prefix = encodePrefix(header);
  const { plain, content: asRead } = serializeContent(content, header.generation, known);
  const file = encodeFile(prefix, seal(dataKey, plain, prefix));
  plain.fill(0);
  if (file.length > fileLimitBytes) {
    throw new BrokerError('vault.full', 'the vault holds as much as it can', {
      reason: 'usage',
      hint: 'remove what is no longer used: lanyard account remove NAME, lanyard cluster remove NAME, or docker logout REGISTRY',
    });
  }
  return { file, header, content: asRead };
}

/** Reads a file's content with its data key. */
export function unsealGeneration(parts: VaultParts, dataKey: Buffer): OpenedGeneration | Broken {
  const plain = unseal(dataKey, parts.sealed, parts.authenticated);
  if (plain === null) {
    return broken('damaged', 'the file’s header and content don’t belong together, or were tampered with');
  }
  const content = parseContent(plain, parts.header.generation);
  plain.fill(0);
  return content === null
    ? broken('content', 'the file’s content has a shape that this Lanyard doesn’t know')
    : { kind: 'opened', header: parts.header, dataKey, content };
}

/** Removes key and content from memory, as far as the runtime lets: strings stay until they are garbage-collected. */
export function forget(opened: OpenedGeneration): void {
  opened.dataKey.fill(0);
  opened.content = emptyContent;
}

/**
 * The content of an older generation: its refresh tokens may have been used since. The UI’s sessions are dropped, and
 * each approval of ways into the request proxy is another one: it may have been taken back since.
 */
export function withStaleSessions({ ui: _, requestProxy, ...content }: VaultContent): VaultContent {
  const sessions = Object.entries(content.sessions).map(([name, session]) => [
    name,
    { ...session, stale: true },
  ]);
  return {
    ...content,
    ...(requestProxy && { requestProxy: { ...requestProxy, epochs: freshEpochs(requestProxy.epochs) } }),
    sessions: Object.fromEntries(sessions),
  };
}

function freshEpochs(epochs: RequestProxyKeys['epochs']): RequestProxyKeys['epochs'] {
  return Object.fromEntries(
    Object.keys(epochs).map((cluster) => [cluster, randomBytes(9).toString('base64url')]),
  );
}
