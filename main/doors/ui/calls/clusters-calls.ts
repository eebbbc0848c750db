import { raceAbort } from '../../../base/abort.ts';
import { refusalError } from '../../../contract/broker-error.ts';
import type { RenewedGrantView } from '../../../contract/ui/calls/clusters.ts';
import { clusterTarget } from '../../../domain/target/cluster-target.ts';
import type { Grants, RenewedGrant } from '../../../grants/grants.ts';
import { type KubectlLineDeps, kubectlLine } from '../../../operations/kubectl-line.ts';
import { type TestClusterDeps, testCluster } from '../../../operations/test-cluster.ts';
import type { Directory, Gate } from '../../../ports/broker-core.ts';
import type { Clock } from '../../../ports/clock.ts';
import type { LoadedCluster } from '../../../ports/config-store.ts';
import type { UiHandlers } from '../handlers.ts';
import { createAskingLimit } from './limit-asking.ts';
import { pathsElsewhere } from './paths-elsewhere.ts';

export interface ClustersCallsDeps extends KubectlLineDeps, TestClusterDeps {
  directory: Pick<Directory, 'account' | 'cluster' | 'clusters'>;
  grants: Pick<Grants, 'renewInUse'>;
  gate: Gate;
  clock: Pick<Clock, 'boottime'>;
}

/** How long a server that doesn’t answer is waited for. */
const testMilliseconds = 15_000;
/** Each test is a click of the user. */
const testLimits = { atOnce: 4, perMinute: 40 };

function renewedView({ variables, obtained }: RenewedGrant): RenewedGrantView {
  const names = [...variables];
  if (!obtained.ok) {
    return { variables: names, expiresAt: null, failure: obtained.message };
  }
  const { expiresAt, noExpiry } = obtained.credential;
  return { variables: names, expiresAt: noExpiry ? noExpiry.ownExpiry : expiresAt, failure: null };
}

/** The actions on a cluster of the list. */
export function createClustersCalls(
  deps: ClustersCallsDeps,
): Pick<UiHandlers, 'cluster.renew' | 'cluster.kubectlLine' | 'cluster.test'> {
  const { directory, grants, gate } = deps;
  const limitTests = createAskingLimit(testLimits, deps.clock);
  const clusterOf = (name: string): LoadedCluster => {
    const found = directory.cluster(name);
    if (!found.ok) {
      throw refusalError(found);
    }
    return found.cluster;
  };
  return {
    'cluster.renew': async ({ cluster: name }, { signal }) => {
      const locked = gate();
      if (locked) {
        throw refusalError(locked);
      }
      const cluster = clusterOf(name);
      const account = directory.account(cluster.config.account);
      if (!account.ok) {
        throw refusalError(account);
      }
      const done = await grants.renewInUse(account.account, clusterTarget(cluster), signal);
      if (!done.ok) {
        throw refusalError(done);
      }
      const [first] = done.renewed;
      if (first?.obtained.ok === false && done.renewed.every(({ obtained }) => !obtained.ok)) {
        throw refusalError(first.obtained);
      }
      return { renewed: done.renewed.map(renewedView) };
    },
    'cluster.test': async ({ entry }, { signal }) => {
      const locked = gate();
      if (locked) {
        throw refusalError(locked);
      }
      const elsewhere = pathsElsewhere(entry);
      if (elsewhere.length > 0) {
        return {
          authority: null,
          findings: elsewhere.map(({ field, message }) => ({
            ...{ check: 'cluster.config', level: 'problem', message, hint: null, field },
          })),
        };
      }
      const both = AbortSignal.any([signal, AbortSignal.timeout(testMilliseconds)]);
      return raceAbort(
        limitTests(() => testCluster(entry, deps, both)),
        signal,
      );
    },
    'cluster.kubectlLine': async ({ cluster: wanted }) => {
      // Also while locked, and for a cluster that isn’t approved: the command has no credential.
      const cluster = directory.clusters().find(({ name }) => name === wanted) ?? clusterOf(wanted);
      return { line: await kubectlLine(cluster, deps) };
    },
  };
}
