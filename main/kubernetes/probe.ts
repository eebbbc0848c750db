import * as http from 'node:http';
import * as https from 'node:https';
import type { Credential } from '../ports/account.ts';
import type { ClusterProbe, Verdict } from '../ports/cluster-probe.ts';
import { toExecCluster } from './cluster-connection.ts';
import { type ClusterConnection, toClusterConnection } from './load-exec-credential.ts';

/**
 * Asks the API server for its version with the credential: the smallest thing it tells everybody who is logged in.
 * A server that knows the credential answers 2xx, 403 or 404; one that doesn't answers 401, whatever it lets
 * strangers see (a bad token is never taken for no token). All else tells nothing.
 */
export function createClusterProbe(): ClusterProbe {
  return async (cluster, credential, signal) => {
    try {
      const connection = toClusterConnection(toExecCluster(cluster));
      return verdictOf(await statusOf(connection, credential, signal));
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
  { token, certificate }: Credential,
  signal: AbortSignal,
): Promise<number> {
  const url = new URL(`${baseUrl.pathname.replace(/\/$/, '')}/version`, baseUrl);
  const secure = url.protocol === 'https:';
  const options: https.RequestOptions = {
    agent: proxyUrl ? await agentFor(proxyUrl) : false,
    signal,
    headers: {
      accept: 'application/json',
      ...(token && { authorization: `Bearer ${token.reveal()}` }),
    },
    ...(secure && {
      ...tls,
      ...(certificate && { cert: certificate.chainPem, key: certificate.keyPem.reveal() }),
    }),
  };
  return new Promise((resolve, reject) => {
    const request = secure ? https.request(url, options) : http.request(url, options);
    request.on('error', reject);
    request.once('response', (response) => {
      resolve(response.statusCode ?? 0);
      request.destroy();
    });
    request.end();
  });
}

/** Only for the clusters that are behind one: most never need it. Throws for what it doesn't speak (socks5). */
async function agentFor(proxyUrl: URL): Promise<http.Agent> {
  if (proxyUrl.protocol !== 'http:' && proxyUrl.protocol !== 'https:') {
    throw new Error('a proxy of a kind that the broker does not speak');
  }
  const { HttpsProxyAgent } = await import('https-proxy-agent');
  return new HttpsProxyAgent(proxyUrl);
}
