import { observe } from '../../domain/text/finding.ts';
import type { HttpFailure, HttpFailureKind } from '../../platform/network/http-failure.ts';
import type { LoadedCluster } from '../../ports/config-store.ts';
import type { Observed } from '../check.ts';

interface Row {
  /** `tls`: it was reached, but its identity wasn’t verified. */
  check: 'reachable' | 'tls' | 'proxy';
  /** Follows the host: `10.0.0.1:6443 <message>`. `*` becomes the proxy, `#` the status. */
  message: string;
  hint: string | null;
}

const ownAuthority = 'set certificateAuthority of the cluster in config.yaml to the PEM file of its CA';
const network = 'check the network or VPN, and server of the cluster in config.yaml';
const proxy =
  'check proxyUrl of the cluster; without it HTTPS_PROXY and NO_PROXY where the broker is started';

const rows: Readonly<Record<HttpFailureKind, Row>> = {
  unknownHost: { check: 'reachable', message: 'is no known host (DNS)', hint: network },
  unreachable: { check: 'reachable', message: 'can’t be connected to', hint: network },
  connectionRefused: {
    check: 'reachable',
    message: 'refuses the connection: nothing listens there',
    hint: 'is the API server running? check the port in server of the cluster in config.yaml',
  },
  timeout: { check: 'reachable', message: 'did not answer in time', hint: network },
  cancelled: { check: 'reachable', message: 'was not waited for', hint: null },
  broken: { check: 'reachable', message: 'broke off in the middle of its answer', hint: null },
  tooLarge: { check: 'reachable', message: 'sent more than it should', hint: null },
  insecureAddress: { check: 'reachable', message: 'has an address that is not https', hint: network },
  status: { check: 'reachable', message: 'answered with HTTP status #', hint: null },
  notJson: { check: 'reachable', message: 'answered with something that is not JSON', hint: null },
  unknownAuthority: {
    check: 'tls',
    message: 'shows a certificate of an unknown authority',
    hint: ownAuthority,
  },
  wrongHostName: {
    check: 'tls',
    message: 'shows a certificate for another host',
    hint: 'check server of the cluster; where it is another name on purpose, set tlsServerName',
  },
  certificateDates: {
    check: 'tls',
    message: 'shows a certificate that is not valid now',
    hint: 'check this machine’s clock; else the server must renew its certificate',
  },
  tls: { check: 'tls', message: 'speaks no TLS that can be used', hint: 'is server of the cluster https?' },
  clientCertificate: {
    check: 'tls',
    message: 'does not accept the client certificate, or wants one',
    hint: 'check that the certificate is from the cluster’s own CA',
  },
  proxyUnreachable: {
    check: 'proxy',
    message: 'can’t be reached: the proxy * can’t be, either',
    hint: proxy,
  },
  proxyTimeout: {
    check: 'proxy',
    message: 'can’t be reached: the proxy * did not answer in time',
    hint: proxy,
  },
  proxyLogin: {
    check: 'proxy',
    message: 'can’t be reached: the proxy * wants another login (407)',
    hint: 'put the user name and password for the proxy into HTTPS_PROXY where the broker is started',
  },
  proxyRefused: {
    check: 'proxy',
    message: 'can’t be reached: the proxy * answered with HTTP status #',
    hint: proxy,
  },
  proxyUnusable: {
    check: 'proxy',
    message: 'was not asked: the broker can’t speak to the proxy *, though kubectl may',
    hint: null,
  },
};

/** Why a cluster can’t be reached: name, connection, TLS or proxy. */
export function observeFailure({ config }: LoadedCluster, failure: HttpFailure): Observed {
  const { check, message, hint } = rows[failure.kind];
  const found = observe(`cluster.${check}`);
  const said = message
    .replace('*', () => failure.proxy ?? 'unknown')
    .replace('#', () => String(failure.status ?? 'unknown'));
  const text = `${new URL(config.server).host} ${said}`;
  // Only kubectl can use a SOCKS proxy: that isn’t an error.
  return failure.kind === 'proxyUnusable' ? found.note(text, hint) : found.problem(text, hint);
}
