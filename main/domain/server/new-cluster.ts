import { cluster as clusterSchema } from '../../contract/config/cluster.ts';
import { configName } from '../../contract/config/names.ts';
import { parseUrl } from '../../contract/parse-url.ts';
import { parseCertificates } from '../credential/certificate-set.ts';
import { type AuthorityCertificate, authorityCertificates } from './authority-text.ts';
import type { ExecCluster } from './exec-cluster.ts';
import { normalizeServerUrl } from './server-url.ts';

/** Enough for a CA of a few certificates; a larger one is too much for a question. */
const authorityLimitCharacters = 64 * 1024;
const certificateLimit = 8;

/** A server that a client named, as an entry of config.yaml. */
export type NewCluster =
  | {
      ok: true;
      /** The entry without absent keys. */
      value: Record<string, unknown>;
      /** Each certificate of the CA. */
      authority: AuthorityCertificate[];
    }
  /** Why it can't be in config.yaml. */
  | { ok: false; fault: string };

/**
 * What `cluster add` would write for the server that a client named. The client's data comes from a kubeconfig of
 * unknown origin: it must meet the rules of the file itself, and stricter ones for size.
 */
export function newCluster(told: ExecCluster, account: string): NewCluster {
  for (const address of [told.server, told.proxyUrl ?? told.server]) {
    const normalized = normalizeServerUrl(address);
    if (!normalized.ok) {
      return { ok: false, fault: `its address ${normalized.fault}` };
    }
  }
  if (told.tlsServerName !== null && !/^[A-Za-z0-9._:-]{1,253}$/.test(told.tlsServerName)) {
    return { ok: false, fault: 'its tls-server-name is not a host’s name' };
  }
  const authority = readAuthority(told.certificateAuthorityPem);
  if (!authority.ok) {
    return authority;
  }
  if (told.insecureSkipTlsVerify && authority.pem !== null) {
    return { ok: false, fault: 'it has a CA beside insecure-skip-tls-verify' };
  }
  const value = {
    server: told.server,
    ...(authority.pem !== null && {
      certificateAuthorityData: Buffer.from(authority.pem, 'utf8').toString('base64'),
    }),
    ...(told.tlsServerName !== null && { tlsServerName: told.tlsServerName }),
    ...(told.insecureSkipTlsVerify && { insecureSkipTlsVerify: true }),
    ...(told.proxyUrl !== null && { proxyUrl: told.proxyUrl }),
    account,
  };
  const checked = clusterSchema.safeParse(value);
  if (!checked.success) {
    const [issue] = checked.error.issues;
    return {
      ok: false,
      fault: `its ${issue?.path.join('.') ?? 'address'} ${issue?.message ?? 'is not valid'}`,
    };
  }
  return { ok: true, value, authority: authority.certificates };
}

type Authority =
  | { ok: true; pem: string | null; certificates: AuthorityCertificate[] }
  | { ok: false; fault: string };

function readAuthority(pem: string | null): Authority {
  if (pem === null || pem === '') {
    return { ok: true, pem: null, certificates: [] };
  }
  if (pem.length > authorityLimitCharacters) {
    return { ok: false, fault: 'its CA is larger than 64 KiB' };
  }
  const found = parseCertificates(pem);
  if (!found.ok) {
    return { ok: false, fault: `its CA can’t be read: ${found.fault}` };
  }
  if (found.count > certificateLimit) {
    return { ok: false, fault: `its CA has more than ${certificateLimit} certificates` };
  }
  // Only the certificates: other text stays out of the file.
  return { ok: true, pem: found.pem, certificates: authorityCertificates(found.pem) };
}

/** A free name for the cluster, after its host. */
export function nameForServer(server: string, taken: (name: string) => boolean): string {
  const host = parseUrl(server)?.hostname.replace(/[[\]]/g, '').slice(0, 100) ?? '';
  const wanted = host.startsWith(':') ? `ip6-${host}` : host;
  const base = configName.safeParse(wanted).success ? wanted : 'cluster';
  let name = base;
  for (let number = 2; taken(name); number++) {
    name = `${base}-${number}`;
  }
  return name;
}

/** A note on an address whose host has letters beyond ASCII, as punycode (RFC 3492); null: it has none. */
export function lookalikeNote(address: string): string | null {
  return /\/\/([^/]*\.)?xn--/i.test(address)
    ? 'its name has letters that may look like others; above they are as the network has them'
    : null;
}
