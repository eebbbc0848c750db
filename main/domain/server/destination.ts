import { clusterShape } from '../approval/cluster-shape.ts';
import { type CertificateReader, createCertificateReader } from '../credential/certificate-set.ts';
import type { LoadedCluster } from '../loaded-config.ts';
import { visibleText } from '../text/visible-text.ts';
import type { ExecCluster } from './exec-cluster.ts';
import { normalizeServerUrl } from './server-url.ts';

export type DestinationMatch =
  | { ok: true }
  /** Each says, for a person, what was asked and what is known. */
  | { ok: false; differences: string[] };

export type DestinationFound =
  | { ok: true; cluster: LoadedCluster }
  /** `nearest`: a cluster at the same server, or at its host and port, that differs in something else. */
  | { ok: false; reason: 'unknown'; nearest: { cluster: LoadedCluster; differences: string[] } | null }
  | { ok: false; reason: 'several'; names: string[] };

/** Decides whether what a client tells of its server is a cluster that is known (rule: known-server). */
export interface DestinationMatcher {
  /** Everything that decides where a credential goes must be the same: server, CA, name, insecure flag, proxy. */
  match(requested: ExecCluster, known: LoadedCluster): DestinationMatch;
  /** The one candidate that matches. Several are one where they differ in nothing but their names. */
  findCluster(requested: ExecCluster, candidates: Iterable<LoadedCluster>): DestinationFound;
}

/** A matcher with a memory of CAs read lately: each kubectl call brings its CA along. */
export function createDestinationMatcher(
  readCertificates: CertificateReader = createCertificateReader(),
): DestinationMatcher {
  const match = (requested: ExecCluster, known: LoadedCluster) =>
    matchDestination(requested, known, readCertificates);
  // Of each cluster as long as its object is in force: thousands of addresses are read once, not with each call.
  const places = new WeakMap<LoadedCluster, string | null>();
  const placeOfKnown = (cluster: LoadedCluster) => {
    const place = places.get(cluster);
    if (place !== undefined) {
      return place;
    }
    const read = placeOf(cluster.config.server);
    places.set(cluster, read);
    return read;
  };
  return {
    match,
    findCluster: (requested, candidates) => {
      const asked = placeOf(requested.server);
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
  const differences = [
    addressDifference('server', requested.server, config.server),
    certificateDifference(requested, known, readCertificates),
    textDifference('tls-server-name', requested.tlsServerName, config.tlsServerName),
    requested.insecureSkipTlsVerify === config.insecureSkipTlsVerify
      ? null
      : `insecure-skip-tls-verify is ${requested.insecureSkipTlsVerify}, known is ${config.insecureSkipTlsVerify}`,
    addressDifference('proxy-url', requested.proxyUrl, config.proxyUrl),
  ].filter((difference) => difference !== null);
  return differences.length === 0 ? { ok: true } : { ok: false, differences };
}

/**
 * The request means this cluster's server, or another path of its host and port with other trust: one place has one
 * certificate, so that is no server of its own but this one, passed off.
 */
function isNear(requested: ExecCluster, { config }: LoadedCluster, differences: readonly string[]): boolean {
  const isSame = addressDifference('server', requested.server, config.server) === null;
  return isSame || (differences.length > 1 && placeOf(requested.server) === placeOf(config.server));
}

/** Host and port; the dot that may end a name changes nothing of whose it is. Null where it can't be read. */
function placeOf(server: string): string | null {
  const normalized = normalizeServerUrl(server);
  if (!normalized.ok) {
    return null;
  }
  const { protocol, hostname, port } = new URL(normalized.url);
  return `${hostname.replace(/\.$/, '')}:${port || (protocol === 'http:' ? '80' : '443')}`;
}

/** Among the candidates at the place of the request: another can be neither the one nor near it. */
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

/** An empty text is how a client leaves a field out. */
function addressDifference(what: string, requested: string | null, known: string | undefined): string | null {
  const [asked, ours] = [requested || null, known || null];
  if (asked === null || ours === null) {
    return asked === ours ? null : `${what} is ${shown(asked)}, known is ${shown(ours)}`;
  }
  if (asked === ours) {
    return null; // as mostly; what is known has been checked when it was read
  }
  const a = normalizeServerUrl(asked);
  const b = normalizeServerUrl(ours);
  if (!a.ok) {
    return `${what} ${shown(asked)} ${a.fault}`;
  }
  return b.ok && a.url === b.url ? null : `${what} is ${shown(asked)}, known is ${shown(ours)}`;
}

function textDifference(what: string, requested: string | null, known: string | undefined): string | null {
  const same = (requested ?? '').toLowerCase() === (known ?? '').toLowerCase();
  return same ? null : `${what} is ${shown(requested || null)}, known is ${shown(known || null)}`;
}

/** Compared as sets of certificates: order, comments and line breaks don't count. */
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
