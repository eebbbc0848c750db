import { type Refusal, refuse } from '../../contract/refusal.ts';
import { baseEnvironment, terminalVariables } from '../../domain/exec-plugin/base-environment.ts';
import { execInfoText, execInfoVariable } from '../../domain/exec-plugin/exec-info.ts';
import { timeLimits } from '../../domain/exec-plugin/time-limits.ts';
import type { LoadedCluster } from '../../domain/loaded-config.ts';
import { pluginSearchPath } from '../../domain/plugin-search-path.ts';
import type { RunOrder } from '../../ports/program-runner.ts';
import type { Place } from './choose-place.ts';
import type { PluginParts } from './plugin-deps.ts';

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

/** The run of one place: client-go's environment on a base of our own (design rule: environment of wrapped commands). */
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

/** The account's `env`, with those values that are in the vault. */
function ownVariables({
  account,
  config,
  vault,
}: PluginParts): { ok: true; variables: Record<string, string> } | Refusal {
  const variables: Record<string, string> = {};
  for (const { name, value } of config.env) {
    const secrets = value === undefined ? vault.read().secrets : {};
    const kept = Object.hasOwn(secrets, account.name) ? secrets[account.name]?.[`env.${name}`] : undefined;
    const found = value ?? kept?.reveal();
    if (found === undefined) {
      return refuse(
        'notFound',
        'execPlugin.secretMissing',
        `the plugin of ${account.name} needs the variable ${name}, whose value is not in the vault`,
        `lanyard secret set ${account.name}/env.${name}`,
      );
    }
    variables[name] = found;
  }
  return { ok: true, variables };
}
