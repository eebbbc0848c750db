import type { Secret } from '../../base/secret.ts';
import type { Refusal } from '../../contract/refusal.ts';
import type { LoadedCluster } from '../../domain/loaded-config.ts';
import { pluginSearchPath } from '../../domain/program/plugin-search-path.ts';
import { clusterName, nameOf, type TargetName } from '../../domain/target/target.ts';
import type { Attendant } from '../../ports/account.ts';
import type { RunOrder } from '../../ports/program-runner.ts';
import { ownVariables } from '../plugins/own-variables.ts';
import { baseEnvironment, systemEnvironment, terminalVariables } from '../plugins/rules/base-environment.ts';
import { pluginFolder } from '../plugins/rules/plugin-folder.ts';
import { timeLimits } from '../plugins/rules/time-limits.ts';
import type { Place } from './choose-place.ts';
import type { PluginParts } from './plugin-deps.ts';
import { execInfoText, execInfoVariable } from './rules/exec-info.ts';

/** As client-go bounds nothing, this bounds what a broken plugin can do to memory. */
const stdoutBytes = 1024 * 1024;

/** What shaped a run beside the account: see `Account.shape`. */
export interface RunShape {
  key: string;
  /** The cluster that the answer is for alone; null: it is for any. */
  cluster: LoadedCluster | null;
  /** The file whose lock the client holds: the run is for this client alone (KEP-2718). Null: for all of this shape. */
  lockFile: string | null;
  /** The caller's variables that count. */
  variables: readonly (readonly [name: string, value: Secret])[];
}

export function timeoutSeconds({ config }: Pick<PluginParts, 'config'>, terminal: boolean): number {
  return timeLimits(config)[terminal ? 'atTerminal' : 'alone'];
}

/** The run of one place: client-go's environment on a fixed base (rule: cleared-environment). */
export function runOrder(
  parts: PluginParts,
  shape: RunShape,
  program: string,
  place: Place,
): { ok: true; order: RunOrder } | Refusal {
  const { config } = parts;
  const terminal = place.where === 'caller' && place.terminal;
  const own = ownVariables({ ...parts, env: config.env });
  if (!own.ok) {
    return own;
  }
  const { additionalArgs = [], additionalEnv = [] } = shape.cluster?.config ?? {};
  const base = config.share
    ? baseEnvironment(parts.environment, pluginSearchPath(config), terminal)
    : {
        ...systemEnvironment(parts.environment),
        ...(config.searchPath !== undefined && { PATH: pluginSearchPath(config) }),
      };
  return {
    ok: true,
    order: {
      command: program,
      args: [...config.args, ...additionalArgs],
      env: {
        ...base,
        ...Object.fromEntries(shape.variables.map(([name, value]) => [name, value.reveal()])),
        ...own.variables,
        ...Object.fromEntries(additionalEnv.map(({ name, value }) => [name, value])),
        [execInfoVariable]: execInfoText(config, shape.cluster, terminal, shape.lockFile),
      },
      pass: config.share ? (terminal ? terminalVariables : []) : ['*'],
      cwd: config.share ? pluginFolder(parts.environment) : null,
      terminal,
      ...(shape.lockFile !== null && { runsOn: true }),
      maxBytes: stdoutBytes,
      timeoutSeconds: timeoutSeconds(parts, terminal),
    },
  };
}

/** For whom a run is on record: the target that the plugin is told, else that of the first who waits. */
export function runTarget(
  shape: RunShape,
  attendants: readonly Pick<Attendant, 'target'>[],
): TargetName | null {
  if (shape.cluster) {
    return clusterName(shape.cluster.name);
  }
  // The name alone: what else a target has is no matter of the record.
  const first = attendants[0]?.target;
  return first ? nameOf(first) : null;
}
