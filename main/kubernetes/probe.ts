import * as http from 'node:http';
import * as https from 'node:https';
import { chooseProxy, type ProxyEnvironment } from '../domain/choose-proxy.ts';
import { connectWithin, openTunnel, tunnelTarget } from '../network/open-tunnel.ts';
import { trustedAuthorities } from '../network/trusted-authorities.ts';
import type { Credential } from '../ports/account.ts';
import type { ClusterProbe, Verdict } from '../ports/cluster-probe.ts';
import { toExecCluster } from './cluster-connection.ts';
import { type ClusterConnection, toClusterConnection } from './load-exec-credential.ts';

/**
 * Asks the API server for its version with the credential: the smallest thing it tells everybody who is logged in.
 * A server that knows the credential answers 2xx, 403 or 404; one that doesn't answers 401, whatever it lets
 * strangers see (a bad token is never taken for no token). All else tells nothing. `environment` has the proxies
 * that count where the cluster names none, as they do for kubectl.
 */
export function createClusterProbe(environment: ProxyEnvironment): ClusterProbe {
  return async (cluster, credential, signal) => {
    try {
      const connection = toClusterConnection(toExecCluster(cluster));
      return verdictOf(await statusOf(connection, environment, credential, signal));
    } catch {
      // A network that is away, a certificate that is wrong: whatever it is, it is no 401.
      return 'unknown';
    }
  };
}

function verdictOf(status: number): Verdict {
  if (status === 401) {
    return 'rejected';
  }
  return (status >= 200 && status < 300) || status === 403 || status === 404 ? 'accepted' : 'unknown';
}

async function statusOf(
  { baseUrl, tls, proxyUrl }: ClusterConnection,
  environment: ProxyEnvironment,
  { token, certificate }: Credential,
  signal: AbortSignal,
): Promise<number> {
  const url = new URL(`${baseUrl.pathname.replace(/\/$/, '')}/version`, baseUrl);
  const choice = chooseProxy(url, proxyUrl?.href, environment);
  if (choice.kind === 'unusable') {
    throw new Error('a proxy of a kind that the broker does not speak');
  }
  const secure = url.protocol === 'https:';
  const trust = {
    ca: tls.ca ?? trustedAuthorities(),
    rejectUnauthorized: tls.rejectUnauthorized,
    ...(tls.servername !== undefined && { servername: tls.servername }),
    ...(certificate && { cert: certificate.chainPem, key: certificate.keyPem.reveal() }),
  };
  const tunnel = choice.kind === 'proxy' ? await openTunnel(choice.proxy, tunnelTarget(url), signal) : null;
  try {
    const request = (secure ? https : http).request(url, {
      ...(tunnel ? { createConnection: () => connectWithin(tunnel, url, trust) } : { agent: false }),
      ...(secure && !tunnel && trust),
      signal,
      headers: {
        accept: 'application/json',
        ...(token && { authorization: `Bearer ${token.reveal()}` }),
      },
    });
    return await answerTo(request);
  } finally {
    tunnel?.destroy();
  }
}

/** The answer's status; nothing of it is read. */
function answerTo(request: http.ClientRequest): Promise<number> {
  return new Promise((resolve, reject) => {
    request.on('error', reject);
    // Of an answer that wants another protocol (101) nothing else is heard. After a response it changes nothing.
    request.once('close', () => reject(new Error('closed without an answer')));
    request.once('response', (response) => {
      resolve(response.statusCode ?? 0);
      request.destroy();
    });
    request.end();
  });
}
