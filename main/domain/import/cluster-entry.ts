import { type ClusterConfig, cluster as clusterSchema } from '../../contract/config/cluster.ts';
import { type CertificateReader, createCertificateReader } from '../credential/certificate-set.ts';
import { normalizeServerUrl } from '../server/server-url.ts';
import { visibleText } from '../text/visible-text.ts';
import { authorityKey } from './authority-key.ts';
import { secretInJson } from './exec-secrets.ts';
import type { ImportedClusterEntry } from './import-plan.ts';
import type { KubeCluster, ReadJson } from './kubeconfig.ts';

/** A cluster of a kubeconfig as an entry of config.yaml, before it has an account. */
export type MadeCluster =
  | {
      ok: true;
      value: Omit<ImportedClusterEntry, 'account'>;
      /** In the form for comparing addresses. */
      server: string;
      /** The CA's certificates; null: the system's CAs. */
      authorityPem: string | null;
      /** The same as text to compare. */
      authorityKey: string;
      notes: readonly string[];
    }
  | { ok: false; left: string };

/** Makes an entry from a cluster; `tellsPlugin`: include what a plugin is told of it. */
export type ClusterMaker = (cluster: KubeCluster, tellsPlugin: boolean) => MadeCluster;

/** Turns clusters into entries; a CA that several of them share is read once. */
export function createClusterMaker(): ClusterMaker {
  const readCertificates = createCertificateReader(10_000, 64 * 1024 * 1024);
  const made = new Map<KubeCluster, MadeCluster>();
  const told = new Map<KubeCluster, MadeCluster>();
  return (cluster, tellsPlugin) => {
    const plain = made.get(cluster) ?? makeCluster(cluster, readCertificates);
    made.set(cluster, plain);
    if (!tellsPlugin || cluster.execConfig === null) {
      return plain;
    }
    const known = told.get(cluster) ?? withExecConfig(plain, cluster.execConfig);
    told.set(cluster, known);
    return known;
  };
}

const execExtension = 'its cluster’s extension client.authentication.k8s.io/exec';

/** What a plugin with provideClusterInfo is told as spec.cluster.config. */
function withExecConfig(made: MadeCluster, execConfig: ReadJson): MadeCluster {
  if (!made.ok) {
    return made;
  }
  if (!execConfig.ok) {
    return { ok: false, left: `${execExtension} ${execConfig.fault}` };
  }
  if (secretInJson(execConfig.value)) {
    return { ok: false, left: `${execExtension} holds a secret, which has no place in config.yaml` };
  }
  const checked = clusterSchema.shape.execConfig.safeParse(execConfig.value);
  return checked.success
    ? { ...made, value: { ...made.value, execConfig: execConfig.value } }
    : { ok: false, left: `${execExtension}: ${checked.error.issues[0]?.message ?? 'is not valid'}` };
}

function makeCluster(cluster: KubeCluster, readCertificates: CertificateReader): MadeCluster {
  const left = (reason: string): MadeCluster => ({ ok: false, left: reason });
  const { server: address, proxyUrl, tlsServerName, insecureSkipTlsVerify, disableCompression } = cluster;
  if (address === '') {
    return left('its cluster names no server');
  }
  if (hasCredentials(address)) {
    return left('its server’s address holds a user name or password, which has no place in config.yaml');
  }
  const server = normalizeServerUrl(address);
  if (!server.ok) {
    return left(`its server’s address ${server.fault.replace(/^not /, 'is not ')}`);
  }
  // No proxy's address has an @ elsewhere; a password may have any character.
  if (proxyUrl !== null && /\/\/.*@/.test(proxyUrl)) {
    return left(
      'its proxy-url holds a user name or password, which has no place in config.yaml: take proxy-url out of the file, and set HTTPS_PROXY to it where kubectl and your other programs run, then import again',
    );
  }
  if (proxyUrl !== null && /^socks5h:/i.test(proxyUrl)) {
    return left(
      'kubectl refuses its proxy-url, which is socks5h: write socks5, for which the proxy resolves the names, too',
    );
  }
  if (proxyUrl !== null && /[?#]/.test(proxyUrl)) {
    return left('its proxy-url has a query or a fragment, which may be a secret and no proxy takes');
  }
  if (tlsServerName !== null && !/^[A-Za-z0-9._:-]{1,253}$/.test(tlsServerName)) {
    return left('its tls-server-name is not a host’s name');
  }
  const authority = cluster.certificateAuthority;
  if (authority !== null && insecureSkipTlsVerify) {
    return left('its cluster has a CA beside insecure-skip-tls-verify, which kubectl refuses');
  }
  if (authority?.ok === false) {
    return left(`its CA can’t be read: ${authority.fault}`);
  }
  const found = authority === null ? null : readCertificates(authority.pem);
  if (found?.ok === false) {
    const where = authority?.path ? ` ${visibleText(authority.path)}` : '';
    return left(`its CA${where} can’t be read: ${found.fault}`);
  }
  const value = {
    server: address,
    ...(found &&
      (authority?.path
        ? { certificateAuthority: authority.path }
        : { certificateAuthorityData: Buffer.from(found.pem, 'utf8').toString('base64') })),
    ...(tlsServerName !== null && { tlsServerName }),
    ...(insecureSkipTlsVerify && { insecureSkipTlsVerify }),
    ...(proxyUrl !== null && { proxyUrl }),
    ...(disableCompression && { disableCompression }),
  };
  const checked = clusterSchema.safeParse({ ...value, account: 'any' });
  if (!checked.success) {
    const [issue] = checked.error.issues;
    return left(`its ${keyNames[String(issue?.path[0])] ?? 'cluster'}: ${issue?.message ?? 'is not valid'}`);
  }
  return {
    ok: true,
    value,
    server: server.url,
    authorityPem: found?.pem ?? null,
    authorityKey: authorityKey(found?.pem ?? null),
    notes: server.url.startsWith('http:') ? ['kubectl shows no credential to a server without TLS'] : [],
  };
}

/** What a kubeconfig says of a cluster. */
const placeKeys: ReadonlySet<string> = new Set([
  'server',
  'certificateAuthority',
  'certificateAuthorityData',
  'tlsServerName',
  'insecureSkipTlsVerify',
  'proxyUrl',
  'disableCompression',
  'execConfig',
  'account',
] satisfies (keyof ClusterConfig)[]);

/** The cluster's other settings that the user made (an approval, an audience): they stay when its address changes. */
export function policyOf(config: ClusterConfig): Partial<ClusterConfig> {
  return Object.fromEntries(Object.entries(saidOf(config)).filter(([key]) => !placeKeys.has(key)));
}

/** A cluster's entry without default values. */
export function saidOf(config: ClusterConfig): Partial<ClusterConfig> {
  const { server, account } = config;
  const defaults: Record<string, unknown> = clusterSchema.parse({ server, account });
  return Object.fromEntries(
    Object.entries(config).filter(
      ([key, value]) =>
        key === 'server' || key === 'account' || (value !== undefined && value !== defaults[key]),
    ),
  );
}

const keyNames: Readonly<Record<string, string>> = {
  server: 'server’s address',
  certificateAuthority: 'CA’s path',
  certificateAuthorityData: 'CA',
  tlsServerName: 'tls-server-name',
  proxyUrl: 'proxy-url',
};

/** Also where the rest is no valid address: the text before an `@` may be a password. */
function hasCredentials(address: string): boolean {
  return /^[^/]*\/\/[^/?#]*@/.test(address);
}
