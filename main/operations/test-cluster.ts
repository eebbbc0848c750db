import type { TestedCluster } from '../contract/ui/calls/clusters.ts';
import type { ConfigEntry } from '../contract/ui/calls/entries.ts';
import { observeFailure } from '../doctor/clusters/unreachable.ts';
import { authorityCertificates } from '../domain/server/authority-text.ts';
import { type Observation, observe } from '../domain/text/finding.ts';
import { visibleText } from '../domain/text/visible-text.ts';
import type { HttpFailure, HttpFailureKind } from '../platform/network/http-failure.ts';
import type { Directory } from '../ports/broker-core.ts';
import type { ConfigStore, LoadedCluster } from '../ports/config-store.ts';
import type { Log } from '../ports/log.ts';

export interface TestClusterDeps {
  config: Pick<ConfigStore, 'stated'>;
  directory: Pick<Directory, 'account'>;
  /** Sends no credential. Null: the server answers. */
  reach(cluster: LoadedCluster, signal: AbortSignal): Promise<HttpFailure | null>;
  /** The CA that the server states itself, in PEM. Sends no credential, and verifies nothing. */
  presentedAuthority(cluster: LoadedCluster, signal: AbortSignal): Promise<string | null>;
  log: Log;
}

/** In place of a name, or of an account, that isn’t chosen yet. */
const placeholder = 'new';

/**
 * Tests a cluster as it is typed, without saving it: whether its server answers, whose CA it has, whether its account
 * is ready. Sends no credential: neither server nor CA is approved yet (rule: confirmed-binding).
 */
export async function testCluster(
  entry: ConfigEntry,
  deps: TestClusterDeps,
  signal: AbortSignal,
): Promise<TestedCluster> {
  const value = { ...entry, account: entry['account'] ?? placeholder };
  const stated = await deps.config.stated([{ kind: 'set', what: 'cluster', name: placeholder, value }]);
  const cluster = stated.clusters.get(placeholder);
  if (!cluster) {
    // The form has asked what is wrong of each field.
    const problem = observe('cluster.config').problem('a setting is wrong', 'correct what the form marks');
    return { authority: null, findings: [shown(problem)] };
  }
  // On record, so that it shows which hosts a page made the broker contact.
  const { server, proxyUrl } = cluster.config;
  deps.log.info('cluster.test', {
    host: new URL(server).host,
    ...(proxyUrl !== undefined && { proxy: new URL(proxyUrl).host }),
  });
  const failure = await deps.reach(cluster, signal);
  const isUnknown = failure?.kind === 'unknownAuthority';
  const pem = isUnknown ? await deps.presentedAuthority(cluster, signal).catch(() => null) : null;
  const found = [
    failure ? observeReach(cluster, failure, pem !== null) : observeAnswer(cluster),
    ...(await observeAccount(entry['account'], deps)),
  ];
  return { findings: found.map(shown), authority: pem === null ? null : authorityOf(pem) };
}

function shown({ check, level, message, hint, key }: Observation) {
  return { check, level, message, hint, field: key ?? null };
}

function authorityOf(pem: string): NonNullable<TestedCluster['authority']> {
  return {
    data: Buffer.from(pem).toString('base64'),
    certificates: authorityCertificates(pem).map((each) => ({
      ...each,
      subject: visibleText(each.subject, 500),
    })),
  };
}

function observeAnswer({ config, certificateAuthorityPem }: LoadedCluster): Observation {
  const found = observe('cluster.reachable');
  const { host, protocol } = new URL(config.server);
  if (protocol === 'http:') {
    return found.warning(
      `${host} answers without TLS: a token would go over the wire as it is`,
      null,
      'server',
    );
  }
  if (config.insecureSkipTlsVerify) {
    const message = `${host} answers, and TLS verification is off: a token could be intercepted`;
    return found.warning(message, null, 'insecureSkipTlsVerify');
  }
  const whose = certificateAuthorityPem === null ? 'a CA of the system' : 'the CA that you named';
  return found.ok(`${host} answers, and its certificate is of ${whose}`);
}

/** The key that mends each failure. */
const keys: Partial<Record<HttpFailureKind, string>> = {
  unknownHost: 'server',
  unreachable: 'server',
  connectionRefused: 'server',
  timeout: 'server',
  tls: 'server',
  wrongHostName: 'tlsServerName',
  unknownAuthority: 'certificateAuthority',
  proxyUnreachable: 'proxyUrl',
  proxyTimeout: 'proxyUrl',
  proxyRefused: 'proxyUrl',
  proxyUnusable: 'proxyUrl',
};

function observeReach(cluster: LoadedCluster, failure: HttpFailure, hasAuthority: boolean): Observation {
  const key = keys[failure.kind];
  const seen = { ...observeFailure(cluster, failure), ...(key !== undefined && { key }) };
  if (failure.kind !== 'unknownAuthority') {
    return seen;
  }
  return {
    ...seen,
    hint: hasAuthority
      ? 'compare the fingerprint below with the one that the cluster’s administrator tells you, then accept it'
      : 'the server doesn’t state its CA: get it from the cluster’s administrator, or a kubeconfig (certificate-authority-data)',
  };
}

async function observeAccount(
  name: unknown,
  { directory }: Pick<TestClusterDeps, 'directory'>,
): Promise<Observation[]> {
  if (typeof name !== 'string' || name === '') {
    return [];
  }
  const found = observe('cluster.account');
  const known = directory.account(name);
  if (!known.ok) {
    return [found.warning(known.message, known.hint ?? null, 'account')];
  }
  const { state, subject, problem } = await known.account.state();
  switch (state) {
    case 'ready':
      return [found.ok(`the account ${name} is ready${subject === null ? '' : `: ${visibleText(subject)}`}`)];
    case 'loginNeeded':
      return [found.note(`the account ${name} needs a login`, 'log in once the cluster is approved')];
    default:
      return [
        found.warning(
          `the account ${name} can’t be used now${problem ? `: ${problem}` : ''}`,
          null,
          'account',
        ),
      ];
  }
}
