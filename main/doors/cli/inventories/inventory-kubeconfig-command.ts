import { BrokerError } from '../../../contract/broker-error.ts';
import type { LoadedCluster } from '../../../domain/loaded-config.ts';
import { managedKubeconfig } from '../../../kubeconfig/managed-kubeconfig.ts';
import { findProfile, wholeName } from '../../../operations/inventories/find-profiles.ts';
import { type ProfileRowsDeps, profileRows } from '../../../operations/inventories/profile-rows.ts';
import type { Directory, Gate } from '../../../ports/broker-core.ts';
import { refusalAnswer } from '../../../ports/door.ts';
import { type Command, done, json, parseWords, usageError } from '../command.ts';

export interface InventoryKubeconfigDeps extends ProfileRowsDeps {
  directory: Pick<Directory, 'cluster'>;
  gate: Gate;
  helperPath: string;
  /** LANYARD_HOME, where it applies. */
  home: string | null;
}

/** `lanyard inventory kubeconfig [PROFILE …]`: prints a kubeconfig of profiles in use; without names of all of them. */
export function inventoryKubeconfigCommand(deps: InventoryKubeconfigDeps): Command {
  return async (call) => {
    const { positionals, values } = parseWords('inventory kubeconfig', call.args, ['[PROFILE …]'], {
      'api-version': { type: 'string' },
      json: { type: 'boolean' },
    });
    const apiVersion = values['api-version'] ?? 'v1';
    if (apiVersion !== 'v1' && apiVersion !== 'v1beta1') {
      throw usageError('inventory kubeconfig', '--api-version is v1 or v1beta1');
    }
    const refusal = deps.gate();
    if (refusal) {
      return refusalAnswer(refusal);
    }
    const rows = await profileRows(deps);
    const clusters =
      positionals.length === 0
        ? rows.flatMap(({ state, chosen }) =>
            state === 'inUse' || state === 'pending' ? (usable(chosen?.contextName ?? '', deps) ?? []) : [],
          )
        : positionals.map((wanted) => {
            const row = findProfile(rows, wanted);
            const cluster = usable(row.chosen?.contextName ?? '', deps);
            if (cluster === null || !['inUse', 'pending'].includes(row.state)) {
              throw new BrokerError('profile.notUsed', `${wholeName(row)} is not in use`, {
                reason: 'notFound',
                hint: `lanyard inventory use ${wholeName(row)}`,
              });
            }
            return cluster;
          });
    const { text, warnings } = managedKubeconfig({ ...deps, clusters, apiVersion });
    const [first] = clusters;
    return done(
      values.json ? json({ contexts: clusters.map(({ name }) => name), kubeconfig: text }) : text.trimEnd(),
      [...warnings.map((line) => `lanyard: ${line}`), ...(first ? [] : ['No profile is in use.'])].join(
        '\n',
      ) || undefined,
    );
  };
}

/** Null: nothing of it is approved. */
function usable(context: string, { directory }: InventoryKubeconfigDeps): LoadedCluster | null {
  const found = directory.cluster(context);
  return found.ok ? found.cluster : null;
}
