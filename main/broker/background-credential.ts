import type { AccountRegistry } from '../access/account-registry.ts';
import { clusterTarget } from '../domain/target/cluster-target.ts';
import type { Grants } from '../grants/grants.ts';
import type { Obtained } from '../ports/account.ts';
import type { Gate } from '../ports/broker-core.ts';
import type { Caller } from '../ports/caller.ts';
import type { LoadedCluster } from '../ports/config-store.ts';

export interface BackgroundCredentialDeps {
  directory: Pick<AccountRegistry, 'account'>;
  grants: Pick<Grants, 'obtain'>;
  gate: Gate;
}

/** Lanyard asks for itself: no terminal, none of a user’s variables. */
const broker: Caller = {
  uid: process.getuid?.() ?? 0,
  pid: process.pid,
  startTime: '',
  executable: process.execPath,
  executableId: null,
  session: null,
  pidNamespace: null,
  origin: 'local',
  hasTerminal: false,
  sure: true,
};

/**
 * The credential of a cluster for Lanyard’s own requests to it. Begins no login and asks nobody; a wrapped plugin runs
 * in the broker, with the variables of its account alone.
 */
export async function backgroundCredential(
  cluster: LoadedCluster,
  { directory, grants, gate }: BackgroundCredentialDeps,
  signal: AbortSignal,
): Promise<Obtained> {
  const refusal = gate();
  const found = refusal ?? directory.account(cluster.config.account);
  if (!found.ok) {
    return found;
  }
  const target = clusterTarget(cluster);
  const granted = await grants.obtain(found.account, {
    target,
    recipient: null,
    asking: {
      target,
      caller: broker,
      client: null,
      ancestors: () => [],
      terminal: { environment: async () => ({}) },
    },
    prompter: null,
    wish: { flow: null, atThisMachine: false },
    onWait: () => undefined,
    signal,
  });
  return granted.ok ? { ok: true, credential: granted.grant.credential } : granted;
}
