import { createHash } from 'node:crypto';
import { goQuote } from '../decode/go-quote.ts';
import { checkProviders } from './check-providers.ts';
import type { CredentialProvider } from './credential-provider.ts';
import { type DecodedProvider, decodeProviderConfig } from './decode-provider-config.ts';

/** One file, with its path as messages show it. */
export interface ConfigFile {
  path: string;
  bytes: Uint8Array;
}

export type ReadProviderConfig =
  /** `hash`: `sha256:…`, that of the kubelet's metric kubelet_credential_provider_config_info. */
  { ok: true; providers: readonly CredentialProvider[]; hash: string } | { ok: false; message: string };

/**
 * Reads the CredentialProviderConfig of one file, or of the files of a folder in the order of their names, as the
 * kubelet does (readCredentialProviderConfig and validateCredentialProviderConfig of
 * k8s.io/kubernetes/pkg/credentialprovider/plugin), with its errors.
 */
export function readProviderConfig(files: readonly ConfigFile[]): ReadProviderConfig {
  const merged: DecodedProvider[] = [];
  for (const { path, bytes } of files) {
    const decoded = decodeProviderConfig(Buffer.from(bytes).toString('utf8'));
    if (!decoded.ok) {
      return { ok: false, message: `error decoding config ${goQuote(path)}: ${decoded.message}` };
    }
    merged.push(...decoded.providers);
  }
  const names = new Set<string>();
  for (const { name } of merged) {
    if (names.has(name ?? '')) {
      return {
        ok: false,
        message: `duplicate provider name ${goQuote(name ?? '')} found in configuration file(s)`,
      };
    }
    names.add(name ?? '');
  }
  const checked = checkProviders(merged);
  return checked.ok
    ? { ok: true, providers: checked.providers, hash: configHash(files) }
    : { ok: false, message: `failed to validate credential provider config: ${checked.message}` };
}

/** As the kubelet’s: over the length of each file and the file. */
export function configHash(files: readonly ConfigFile[]): string {
  const hash = createHash('sha256');
  for (const { bytes } of files) {
    const length = Buffer.alloc(8);
    length.writeBigUInt64BE(BigInt(bytes.byteLength));
    hash.update(length).update(bytes);
  }
  return `sha256:${hash.digest('hex')}`;
}
