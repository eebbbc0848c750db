import { type Refusal, refuse } from '../contract/refusal.ts';
import type { LoadedCluster } from '../domain/loaded-config.ts';
import { clusterTarget } from '../domain/target/cluster-target.ts';
import type { Grants } from '../grants/grants.ts';
import { ownRequest } from '../grants/own-request.ts';
import type { Credential, Obtained } from '../ports/account.ts';
import type { Directory, Gate } from '../ports/broker-core.ts';

export interface ClusterCredentialDeps {
  gate: Gate;
  directory: Pick<Directory, 'account' | 'cluster'>;
  grants: Pick<Grants, 'obtain'>;
}

/** Why Lanyard doesn’t ask a cluster for its own purposes; null: it may. */
function whyNotAsked({ name, config, origin }: LoadedCluster): Refusal | null {
  if (origin !== undefined) {
    // Who can write its profile would choose the server.
    return refuse(
      'notPermitted',
      'hub.ofInventory',
      `the cluster ${name} is one of the inventory ${origin.inventory}, and a hub is a cluster of config.yaml`,
      'name another hub in config.yaml',
    );
  }
  return config.approval === 'never'
    ? null
    : refuse(
        'notPermitted',
        'hub.asks',
        `the cluster ${name} asks you before a credential goes to it, and Lanyard’s own requests can’t wait for that`,
        `set approval: never for the cluster ${name} in config.yaml, or name another hub`,
      );
}

/** A cluster of config.yaml that Lanyard may ask for its own purposes; or why not. */
export function askableCluster(
  name: string,
  { gate, directory }: Pick<ClusterCredentialDeps, 'gate' | 'directory'>,
): { ok: true; cluster: LoadedCluster } | Refusal {
  const shut = gate();
  const found = shut ?? directory.cluster(name);
  return found.ok ? (whyNotAsked(found.cluster) ?? found) : found;
}

/** `ownCredential` of a cluster by its name, which still has that form when it has come. */
export async function clusterCredential(
  name: string,
  asker: string,
  deps: ClusterCredentialDeps,
  signal: AbortSignal,
): Promise<{ ok: true; cluster: LoadedCluster; credential: Credential } | Refusal> {
  const found = askableCluster(name, deps);
  if (!found.ok) {
    return found;
  }
  const { cluster } = found;
  const obtained = await ownCredential(cluster, asker, deps, signal);
  if (!obtained.ok) {
    return obtained;
  }
  // That took time: Lanyard may be locked now, or the name may have another server.
  const again = askableCluster(name, deps);
  if (!again.ok) {
    return again;
  }
  return again.cluster === cluster
    ? { ok: true, cluster, credential: obtained.credential }
    : refuse('notPermitted', 'cluster.changed', `the cluster ${name} has changed meanwhile`, 'try again');
}

/**
 * The credential of a cluster for a request of Lanyard’s own to it. Never asks the user: begins no login, opens no page,
 * and runs a plugin only in the broker, with the variables of its account alone. `asker` is who asks: where it asks again
 * for the credential that it got, that one may have been rejected, which is then checked (rule: inferred-401).
 */
export async function ownCredential(
  cluster: LoadedCluster,
  asker: string,
  {
    gate,
    directory,
    grants,
  }: Pick<ClusterCredentialDeps, 'gate' | 'grants'> & {
    directory: Pick<Directory, 'account'>;
  },
  signal: AbortSignal,
): Promise<Obtained> {
  const account = gate() ?? whyNotAsked(cluster) ?? directory.account(cluster.config.account);
  if (!account.ok) {
    return account;
  }
  const target = clusterTarget(cluster);
  const granted = await grants.obtain(account.account, {
    ...ownRequest(target, signal),
    recipient: { client: asker, target, onlyAfter401: false },
  });
  return granted.ok ? { ok: true, credential: granted.grant.credential } : granted;
}
