import { statusVerdict } from '../grants/status-verdict.ts';
import type { TargetProbe } from '../ports/target-probe.ts';
import { askCluster } from './ask-cluster.ts';
import type { ClusterReach } from './cluster-reach.ts';
import { verdictOf, whoAmI } from './who-am-i.ts';

/**
 * Asks the API server who it sees, as `lanyard doctor` does: a question that only a credential answers, whatever a
 * proxy before the server shows to strangers. A server that can't tell is asked for its version (rule: inferred-401).
 * Not a proxied cluster: through its chain the question would renew, and ask a token or a program to sign, for no one.
 */
export function createClusterProbe(reach: ClusterReach): TargetProbe {
  return async ({ cluster }, credential, signal) => {
    const { token, certificate } = credential;
    if (cluster === null || cluster.config.proxy !== undefined || (token === null && certificate === null)) {
      return 'unknown';
    }
    const seen = await whoAmI(cluster, credential, reach, signal);
    if (seen.kind !== 'untold' || seen.status === 403) {
      return verdictOf(seen);
    }
    try {
      const asked = { method: 'GET', path: '/version', credential, answerBytes: 0 } as const;
      return statusVerdict((await askCluster(cluster, reach, asked, signal)).status);
    } catch {
      // A network that is away, a certificate that is wrong: whatever it is, it is no 401.
      return 'unknown';
    }
  };
}
