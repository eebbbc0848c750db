import { hash } from 'node:crypto';
import { RecentValues } from '../../base/recent-values.ts';
import { BrokerError } from '../../contract/broker-error.ts';
import { type Refusal, refuse } from '../../contract/refusal.ts';
import { createKeptShapes, shapeOfKind } from '../../domain/approval/kind-rules.ts';
import type { LoadedCluster } from '../../domain/loaded-config.ts';
import { lockFilePathFault } from '../../domain/proxy/lock-file-path.ts';
import { addsToPlugin } from '../../domain/target/plugin-additions.ts';
import { clusterKind } from '../../domain/target/target.ts';
import type { Account, CredentialRequest } from '../../ports/account.ts';
import { examineProgram, type ProgramAccount, programState } from '../plugins/program-account.ts';
import { countedValues, countedVariables } from '../plugins/rules/counted-variables.ts';
import type { ExecPluginDeps, PluginParts } from './plugin-deps.ts';
import type { RunShape } from './run-order.ts';
import { RunningPlugins } from './running-plugins.ts';
import { createShapedPlugin } from './shaped-plugin.ts';

/** So many shapes are known at a time; a program may ask with ever new variables. */
const shapeLimit = 2_048;

/**
 * KEP-541 from the client's side: an exec plugin that Lanyard runs instead of kubectl, once, for all equal requests.
 * It caches nothing: the grants cache its answers, in memory.
 */
export function createExecPluginAccount(deps: ExecPluginDeps): Account {
  const { account } = deps;
  const { name } = account;
  if (!('execPlugin' in account.config)) {
    throw new BrokerError('account.kind', `account ${name} is no exec plugin`);
  }
  const config = account.config.execPlugin;
  const parts: PluginParts = { ...deps, config };
  const running = new RunningPlugins();
  const shaped = new RecentValues<Account>(shapeLimit);
  const ownShape = shapeOfKind('account', account);
  // Asked for with each call: a cluster's CA is read once.
  const shapeOf = createKeptShapes();
  let unplaced = 0;
  const placed = (place: unknown) => place ?? ['unplaced', ++unplaced];

  /** The cluster that an answer is for alone: the plugin is told of it, or gets arguments or variables for it. Null: for any. */
  const ownCluster = ({ target: { cluster } }: CredentialRequest): LoadedCluster | null =>
    cluster !== null && (config.provideClusterInfo || addsToPlugin(cluster)) ? cluster : null;

  const shapeFor = async (asking: CredentialRequest): Promise<{ ok: true; shape: RunShape } | Refusal> => {
    const counted = config.share ? countedVariables(config) : [];
    const told = counted.length === 0 ? {} : await asking.terminal.environment(counted);
    if (told === null) {
      // Not as if none were set: the plugin could answer for another user that it knows.
      return refuse(
        'notPermitted',
        'execPlugin.variables',
        `the plugin of ${name} depends on variables of the caller (${counted.join(', ')}), and its helper didn’t tell them`,
        asking.target.kind === clusterKind
          ? `together they may have 64 KiB; a helper of before this version can’t tell them: lanyard doctor; a controller tells none: set environment: [] for ${name} in config.yaml, then run: lanyard confirm`
          : `docker and a kubelet tell none: set environment: [] for ${name} in config.yaml, then run: lanyard confirm`,
      );
    }
    const lockFile = config.passProxyConfig ? (asking.lockFile ?? null) : null;
    const fault = lockFile === null ? null : lockFilePathFault(lockFile, 'execPlugin.lockPath');
    if (fault) {
      return fault;
    }
    const cluster = ownCluster(asking);
    const env = [...config.env, ...(cluster?.config.additionalEnv ?? [])];
    const variables = countedValues(told, { ...config, env });
    // With the account's own: what an earlier configuration's run brings late is not this one's.
    const inputs = [
      ownShape,
      cluster && [cluster.name, shapeOf('cluster', cluster)],
      variables.map(([name, value]) => [name, value.reveal()]),
      config.share || placed(callerPlace(asking)),
      lockFile !== null && [lockFile, placed(callerProcess(asking))],
    ];
    const key = hash('sha256', JSON.stringify(inputs), 'base64');
    return { ok: true, shape: { key, cluster, lockFile, variables } };
  };

  const asProgram: ProgramAccount = { ...deps, kind: 'execPlugin', program: config };
  const state = () => programState(asProgram);

  return {
    name,
    kind: 'execPlugin',
    keepsNothing: true,
    async shapedBy(asking) {
      const { target } = asking;
      if (config.provideClusterInfo && target.cluster === null) {
        return refuse(
          'notPermitted',
          'execPlugin.noCluster',
          `the plugin of ${name} is told for which cluster it runs (provideClusterInfo), and ${target.name} is no cluster`,
        );
      }
      const loop = running.loop(name, ownCluster(asking)?.name ?? null, asking.ancestors);
      if (loop) {
        return loop;
      }
      const made = await shapeFor(asking);
      if (!made.ok) {
        return made;
      }
      const { shape } = made;
      const known = shaped.of(shape.key, () => createShapedPlugin(parts, shape, running, state));
      return { ok: true, account: known };
    },
    forgetShapes: () => shaped.clear(),
    current: async () => null,
    renew: async () =>
      refuse(
        'internal',
        'execPlugin.unshaped',
        `what the plugin of ${name} returns depends on the caller, and no caller was given`,
      ),
    state,
    examine: () => examineProgram(asProgram),
  };
}

/**
 * An answer that isn't shared is for one terminal; without one, for one process. Another pid namespace and an SSH
 * origin are classes of their own. Null: the system can't place the caller, and it shares with no other.
 */
function callerPlace(asking: CredentialRequest): unknown {
  const { caller } = asking;
  return caller.sure && caller.session && caller.hasTerminal
    ? [caller.origin, caller.pidNamespace, caller.session.leaderPid, caller.session.startTime, true]
    : callerProcess(asking);
}

/** One process, which is a client. Null: the system can't tell which. */
function callerProcess({ caller }: CredentialRequest): unknown {
  return caller.sure
    ? [caller.origin, caller.pidNamespace, caller.pid, caller.startTime, caller.hasTerminal]
    : null;
}
