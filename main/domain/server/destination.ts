import { clusterShape } from '../approval/cluster-shape.ts';
import { type CertificateReader, createCertificateReader } from '../credential/certificate-set.ts';
import type { LoadedCluster } from '../loaded-config.ts';
import { withoutLogin } from '../text/plain-address.ts';
import { visibleText } from '../text/visible-text.ts';
import type { ExecCluster } from './exec-cluster.ts';
import { normalizeServerUrl } from './server-url.ts';

export type DestinationMatch =
  | { ok: true }
  /** For the user: what was requested, and what is known. `fields`: the same by name alone, as a kubeconfig has it. */
  | { ok: false; differences: string[]; fields: string[] };

export type DestinationFound =
  | { ok: true; cluster: LoadedCluster }
  /** `nearest`: a cluster at the same server, or at its host and port, that differs otherwise. */
  | { ok: false; reason: 'unknown'; nearest: { cluster: LoadedCluster; differences: string[] } | null }
  | { ok: false; reason: 'several'; names: string[] };

/** Decides whether the server that a client names is a known cluster (rule: known-server). */
export interface DestinationMatcher {
  /** Everything that decides where a credential goes must be equal: server, CA, name, insecure flag, proxy. */
  match(requested: ExecCluster, known: LoadedCluster): DestinationMatch;
  /** The one candidate that matches. Several count as one where only their names differ. */
  findCluster(requested: ExecCluster, candidates: Iterable<LoadedCluster>): DestinationFound;
}

/** A matcher that caches recently parsed CAs: each kubectl call sends its CA. */
export function createDestinationMatcher(
  readCertificates: CertificateReader = createCertificateReader(),
): DestinationMatcher {
  const match = (requested: ExecCluster, known: LoadedCluster) =>
    matchDestination(requested, known, readCertificates);
  // Per cluster, as long as its object lives: thousands of addresses are parsed once, not with each call.
  const places = new WeakMap<LoadedCluster, string | null>();
  const placeOfKnown = (cluster: LoadedCluster) => {
    const place = places.get(cluster);
    if (place !== undefined) {
      return place;
    }
    const read = hostAndPort(cluster.config.server);
    places.set(cluster, read);
    return read;
  };
  return {
    match,
    findCluster: (requested, candidates) => {
      const asked = hostAndPort(requested.server);
      const atItsPlace = [...candidates].filter(
        (each) => each.config.server === requested.server || (asked !== null && placeOfKnown(each) === asked),
      );
      return find(requested, atItsPlace, match);
    },
  };
}

/** One comparison; see `DestinationMatcher.match`. */
function matchDestination(
  requested: ExecCluster,
  known: LoadedCluster,
  readCertificates: CertificateReader,
): DestinationMatch {
  const { config } = known;
  const differing = [
    ['server', addressDifference('server', requested.server, config.server)],
    ['certificate-authority-data', certificateDifference(requested, known, readCertificates)],
    ['tls-server-name', textDifference('tls-server-name', requested.tlsServerName, config.tlsServerName)],
    [
      'insecure-skip-tls-verify',
      requested.insecureSkipTlsVerify === config.insecureSkipTlsVerify
        ? null
        : `insecure-skip-tls-verify is ${requested.insecureSkipTlsVerify}, known is ${config.insecureSkipTlsVerify}`,
    ],
    ['proxy-url', addressDifference('proxy-url', requested.proxyUrl, config.proxyUrl)],
  ] as const;
  const found = differing.flatMap(([field, text]) => (text === null ? [] : [{ field, text }]));
  return found.length === 0
    ? { ok: true }
    : { ok: false, differences: found.map(({ text }) => text), fields: found.map(({ field }) => field) };
}

/**
 * The request names this cluster's server, or another path of its host and port, with different trust: one host and
 * port has one certificate, so it is not a new server but an imitation of this one.
 */
function isNear(requested: ExecCluster, { config }: LoadedCluster, differences: readonly string[]): boolean {
  const isSame = addressDifference('server', requested.server, config.server) === null;
  return isSame || (differences.length > 1 && hostAndPort(requested.server) === hostAndPort(config.server));
}

/** Host and port; a final dot of the name is ignored. Null: unreadable. */
export function hostAndPort(server: string): string | null {
  const normalized = normalizeServerUrl(server);
  if (!normalized.ok) {
    return null;
  }
  const { protocol, hostname, port } = new URL(normalized.url);
  return `${hostname.replace(/\.$/, '')}:${port || (protocol === 'http:' ? '80' : '443')}`;
}

/** Among the candidates at the request's host and port: no other can match or be near. */
function find(
  requested: ExecCluster,
  candidates: readonly LoadedCluster[],
  match: DestinationMatcher['match'],
): DestinationFound {
  const found: LoadedCluster[] = [];
  const others: { cluster: LoadedCluster; differences: string[] }[] = [];
  for (const cluster of candidates) {
    const result = match(requested, cluster);
    if (result.ok) {
      found.push(cluster);
    } else {
      others.push({ cluster, differences: result.differences });
    }
  }
  const [first, ...more] = found;
  if (!first) {
    const nearest = others.find(({ cluster, differences }) => isNear(requested, cluster, differences));
    return { ok: false, reason: 'unknown', nearest: nearest ?? null };
  }
  return more.length === 0 || new Set(found.map(clusterShape)).size === 1
    ? { ok: true, cluster: first }
    : { ok: false, reason: 'several', names: found.map(({ name }) => name) };
}

/** Clients send an empty text for an absent field. */
function addressDifference(what: string, requested: string | null, known: string | undefined): string | null {
  const [asked, ours] = [requested || null, known || null];
  if (asked === null || ours === null) {
    return asked === ours ? null : addressesDiffer(what, asked, ours);
  }
  if (asked === ours) {
    return null; // the usual case; the known CA was checked when it was read
  }
  const a = normalizeServerUrl(asked);
  const b = normalizeServerUrl(ours);
  if (!a.ok) {
    return `${what} ${shown(withoutLogin(asked))} ${a.fault}`;
  }
  return b.ok && a.url === b.url ? null : addressesDiffer(what, asked, ours);
}

function addressesDiffer(what: string, asked: string | null, ours: string | null): string {
  const plain = (address: string | null) => shown(address && withoutLogin(address));
  return `${what} is ${plain(asked)}, known is ${plain(ours)}`;
}

function textDifference(what: string, requested: string | null, known: string | undefined): string | null {
  const same = (requested ?? '').toLowerCase() === (known ?? '').toLowerCase();
  return same ? null : `${what} is ${shown(requested || null)}, known is ${shown(known || null)}`;
}

/** Compared as sets of certificates: order, comments and line breaks don't matter. */
function certificateDifference(
  requested: ExecCluster,
  known: LoadedCluster,
  readCertificates: CertificateReader,
): string | null {
  const asked = requested.certificateAuthorityPem || null;
  const ours = known.certificateAuthorityPem;
  if (asked === ours) {
    return null;
  }
  if (asked === null || ours === null) {
    return asked === null
      ? 'no certificate authority is told, and one is known'
      : 'a certificate authority is told, and the system’s are known';
  }
  const a = readCertificates(asked);
  const b = readCertificates(ours);
  if (!a.ok) {
    return `the certificate authority can’t be read: ${a.fault}`;
  }
  return b.ok && a.fingerprint === b.fingerprint
    ? null
    : `the certificate authority is ${a.fingerprint}, known is ${b.ok ? b.fingerprint : 'unreadable'}`;
}

function shown(text: string | null): string {
  return text === null ? 'none' : visibleText(text, 300);
}
