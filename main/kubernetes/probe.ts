import type { ProxyEnvironment } from '../domain/choose-proxy.ts';
import type { ClusterProbe, Verdict } from '../ports/cluster-probe.ts';
import { askCluster } from './ask-cluster.ts';

/**
 * Asks the API server for its version with the credential: the smallest thing it tells everybody who is logged in.
 * A server that knows the credential answers 2xx, 403 or 404; one that doesn't answers 401, whatever it lets
 * strangers see (a bad token is never taken for no token). All else tells nothing. `environment` has the proxies
 * that count where the cluster names none, as they do for kubectl.
 */
export function createClusterProbe(environment: ProxyEnvironment): ClusterProbe {
  return async (cluster, credential, signal) => {
    try {
      const asked = { method: 'GET', path: '/version', credential, answerBytes: 0 } as const;
      return verdictOf((await askCluster(cluster, environment, asked, signal)).status);
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
