import type { Secret } from '../../base/secret.ts';
import { type Refusal, refuse } from '../../contract/refusal.ts';
import type { LoadedCluster } from '../../domain/loaded-config.ts';
import { pluginSearchPath } from '../../domain/program/plugin-search-path.ts';
import { clusterName, nameOf, type TargetName } from '../../domain/target/target.ts';
import { adviceText, secretAdvice } from '../../domain/text/advice.ts';
import type { Attendant } from '../../ports/account.ts';
import type { RunOrder } from '../../ports/program-runner.ts';
import { timeLimits } from '../plugins/rules/time-limits.ts';
import type { Place } from './choose-place.ts';
import type { PluginParts } from './plugin-deps.ts';
import { baseEnvironment, terminalVariables } from './rules/base-environment.ts';
import { execInfoText, execInfoVariable } from './rules/exec-info.ts';

/** As client-go bounds nothing, this bounds what a broken plugin can do to memory. */
const stdoutBytes = 1024 * 1024;

/** What shaped a run beside the account: see `Account.shape`. */
export interface Shape {
  key: string;
  /** What is told to the plugin; null: nothing. */
  cluster: LoadedCluster | null;
  /** The caller's variables that count. */
  variables: readonly (readonly [name: string, value: string])[];
}

export function timeoutSeconds({ config }: Pick<PluginParts, 'config'>, terminal: boolean): number {
  return timeLimits(config)[terminal ? 'atTerminal' : 'alone'];
}

/** The run of one place: client-go's environment on a fixed base (rule: cleared-environment). */
export function runOrder(
  parts: PluginParts,
  shape: Shape,
  program: string,
  place: Place,
): { ok: true; order: RunOrder } | Refusal {
  const { config } = parts;
  const terminal = place.where === 'caller' && place.terminal;
  const own = ownVariables(parts);
  if (!own.ok) {
    return own;
  }
  const base = config.share
    ? baseEnvironment(parts.environment, pluginSearchPath(config), terminal)
    : { ...(config.searchPath !== undefined && { PATH: pluginSearchPath(config) }) };
  return {
    ok: true,
    order: {
      command: program,
      args: config.args,
      env: {
        ...base,
        ...Object.fromEntries(shape.variables),
        ...own.variables,
        [execInfoVariable]: execInfoText(config, shape.cluster, terminal),
      },
      pass: config.share ? (terminal ? terminalVariables : []) : ['*'],
      cwd: config.share ? (parts.environment['HOME'] ?? '/') : null,
      terminal,
      maxBytes: stdoutBytes,
      timeoutSeconds: timeoutSeconds(parts, terminal),
    },
  };
}

type Own = Pick<PluginParts, 'account' | 'config' | 'vault'>;

/** The account's `env`, with those values that are in the vault. */
function ownVariables(parts: Own): { ok: true; variables: Record<string, string> } | Refusal {
  const missing = missingVariable(parts);
  if (missing !== null) {
    const { name, config } = parts.account;
    return refuse(
      'notFound',
      'execPlugin.secretMissing',
      missing.problem,
      adviceText(secretAdvice(name, config, missing.part)),
    );
  }
  const values = parts.config.env.map(({ name, value }) => [name, value ?? keptValue(parts, name)?.reveal()]);
  return { ok: true, variables: Object.fromEntries(values) };
}

/** The first variable of the account whose value should be in the vault, and isn't; null: all are there. */
export function missingVariable(parts: Own): { part: string; problem: string } | null {
  const missing = parts.config.env.find(
    ({ name, value }) => value === undefined && keptValue(parts, name) === undefined,
  );
  return missing
    ? {
        part: `env.${missing.name}`,
        problem: `the plugin of ${parts.account.name} needs the variable ${missing.name}, whose value is not in the vault`,
      }
    : null;
}

function keptValue({ account, vault }: Own, variable: string): Secret | undefined {
  const { secrets } = vault.read();
  return Object.hasOwn(secrets, account.name) ? secrets[account.name]?.[`env.${variable}`] : undefined;
}

/** For whom a run is on record: the target that the plugin is told, else that of the first who waits. */
export function runTarget(shape: Shape, attendants: readonly Pick<Attendant, 'target'>[]): TargetName | null {
  if (shape.cluster) {
    return clusterName(shape.cluster.name);
  }
  // The name alone: what else a target has is no matter of the record.
  const first = attendants[0]?.target;
  return first ? nameOf(first) : null;
}
