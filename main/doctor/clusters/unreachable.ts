import { observe } from '../../domain/text/finding.ts';
import { failureText } from '../../platform/network/failure-text.ts';
import type { HttpFailure, HttpFailureKind } from '../../platform/network/http-failure.ts';
import { proxyHint } from '../../platform/network/proxy-hint.ts';
import type { LoadedCluster } from '../../ports/config-store.ts';
import type { Observed } from '../check.ts';

interface Row {
  /** `tls`: it was reached, but its identity wasn’t verified. */
  check: 'reachable' | 'tls' | 'proxy';
  hint: string | null;
}

const ownAuthority = 'set certificateAuthority of the cluster in config.yaml to the PEM file of its CA';
const network = 'check the network or VPN, and server of the cluster in config.yaml';

const reachable = (hint: string | null = null): Row => ({ check: 'reachable', hint });
const tls = (hint: string): Row => ({ check: 'tls', hint });
const byProxy: Row = { check: 'proxy', hint: null };

const rows: Readonly<Record<HttpFailureKind, Row>> = {
  unknownHost: reachable(network),
  unreachable: reachable(network),
  connectionRefused: reachable(
    'is the API server running? check the port in server of the cluster in config.yaml',
  ),
  timeout: reachable(network),
  cancelled: reachable(),
  broken: reachable(),
  tooLarge: reachable(),
  insecureAddress: reachable(network),
  closedAddress: reachable(network),
  status: reachable(
    'a gateway or load balancer answered in place of the API server: check whether the API server behind it runs',
  ),
  notJson: reachable(),
  unknownAuthority: tls(ownAuthority),
  wrongHostName: tls('check server of the cluster; where it is another name on purpose, set tlsServerName'),
  certificateDates: tls('check this machine’s clock; else the server must renew its certificate'),
  certificate: tls('look at the certificate: openssl s_client -showcerts -connect HOST:PORT'),
  tls: tls('is server of the cluster https?'),
  clientCertificate: tls('check that the certificate is from the cluster’s own CA'),
  clientKey: tls('check the account that has the certificate’s key'),
  proxyUnreachable: byProxy,
  proxyTimeout: byProxy,
  proxyLogin: byProxy,
  proxyRefused: byProxy,
  proxyUnusable: byProxy,
  requestProxy: byProxy,
};

/** Why a cluster can’t be reached: name, connection, TLS or proxy. */
export function observeFailure({ config }: LoadedCluster, failure: HttpFailure): Observed {
  const { check, hint: usual } = rows[failure.kind];
  // Only kubectl can use a SOCKS proxy: that isn’t an error.
  const isUnusable = failure.kind === 'proxyUnusable';
  const ofProxy = isUnusable
    ? null
    : proxyHint(failure.kind, config.proxyUrl === undefined ? null : 'cluster');
  const hint = failure.refusal?.hint ?? ofProxy ?? usual;
  const found = observe(`cluster.${check}`);
  const though = isUnusable ? ', though kubectl may' : '';
  const text = `${new URL(config.server).host} ${failureText(failure)}${though}`;
  return isUnusable ? found.note(text, hint) : found.problem(text, hint);
}
