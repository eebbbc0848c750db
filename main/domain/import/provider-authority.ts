import { isAbsolute, join, resolve } from 'node:path';
import { parseCertificates } from '../credential/certificate-set.ts';
import type { AccountSources } from './made-account.ts';

/** Where a provider's CA is given: PEM files, and base64 of PEM. */
export interface AuthoritySaid {
  files: readonly string[];
  data: readonly string[];
}

export type ProviderAuthority =
  | {
      ok: true;
      /** The keys for config.yaml; empty: the system's CAs. */
      value: { certificateAuthority?: string; certificateAuthorityData?: string };
      pem: string | null;
      notes: readonly string[];
    }
  | { ok: false; left: string };

/** The CA of a provider as config.yaml takes it: one file stays a file, several become data. */
export function providerAuthority(said: AuthoritySaid, sources: AccountSources): ProviderAuthority {
  const pems: string[] = [];
  const paths: string[] = [];
  for (const file of said.files) {
    const path = authorityPath(file, sources.homeDirectory);
    if (path === null) {
      return { ok: false, left: 'its provider’s CA is a file relative to wherever kubectl runs' };
    }
    const read = sources.authorityFiles.get(path);
    if (!read?.ok) {
      return { ok: false, left: `its provider’s CA can’t be read: ${read?.fault ?? path}` };
    }
    pems.push(read.content);
    paths.push(path);
  }
  for (const data of said.data) {
    const pem = /^[A-Za-z0-9+/\s]+={0,2}\s*$/.test(data)
      ? Buffer.from(data, 'base64').toString('utf8')
      : null;
    if (pem === null) {
      return { ok: false, left: 'its provider’s CA is not base64' };
    }
    pems.push(pem);
  }
  if (pems.length === 0) {
    return { ok: true, value: {}, pem: null, notes: [] };
  }
  // Each on its own: a file without a final newline must not run into the next.
  const found = pems.map(parseCertificates);
  const parts: string[] = [];
  for (const each of found) {
    if (!each.ok) {
      return { ok: false, left: `its provider’s CA can’t be read: ${each.fault}` };
    }
    parts.push(each.pem);
  }
  const pem = parts.join('');
  const [path] = paths;
  if (path !== undefined && pems.length === 1) {
    return { ok: true, value: { certificateAuthority: path }, pem, notes: [] };
  }
  const notes =
    paths.length === 0
      ? []
      : [`its provider’s CAs are copied from ${paths.join(' and ')}: later changes there are not followed`];
  const value = { certificateAuthorityData: Buffer.from(pem, 'utf8').toString('base64') };
  return { ok: true, value, pem, notes };
}

/** Absolute, with `~` as kubelogin expands it; null: it depends on the folder that kubectl runs in. */
export function authorityPath(file: string, homeDirectory: string): string | null {
  const path = file.startsWith('~') ? join(homeDirectory, file.slice(1)) : file;
  return isAbsolute(path) ? resolve(path) : null;
}
