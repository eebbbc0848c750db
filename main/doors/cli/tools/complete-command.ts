import { visibleText } from '../../../domain/text/visible-text.ts';
import type { Inventories } from '../../../inventory/inventories.ts';
import type { ContextReader } from '../../../kubeconfig/contexts.ts';
import { profileNames } from '../../../operations/inventories/find-profiles.ts';
import type { ConfigStore } from '../../../ports/config-store.ts';
import { callerEnvironment, kubeconfigVariables } from '../caller-environment.ts';
import { type Command, type CommandCall, done, parseWords, usageError } from '../command.ts';

export interface CompleteDeps {
  config: Pick<ConfigStore, 'current'>;
  inventories: Pick<Inventories, 'profilesOf'>;
  pathsOf(environment: Readonly<Record<string, string>>, cwd: string): readonly string[];
  contexts: ContextReader;
}

/**
 * `lanyard complete-names accounts|clusters|registries|inventories|profiles|contexts …`: what the helper asks while a
 * shell completes a line. One per line: the name, a tab, its description. A name that several kinds have comes once. In no table of commands, since users don't type it, and it doesn't count as
 * the user: a shell may ask automatically.
 */
export function completeNamesCommand(deps: CompleteDeps): Command {
  return async (call) => {
    const { positionals } = parseWords('complete-names', call.args, ['KIND', '[KIND …]'], {});
    const names = new Map<string, string>();
    // No aliases: a command may take the name alone.
    for (const kind of positionals) {
      for (const [name, about] of await namesOf(kind, call, deps)) {
        // A name that a terminal can't show as it is can't be typed either.
        if (visibleText(name) === name && !names.has(name)) {
          names.set(name, visibleText(about));
        }
      }
    }
    return names.size === 0
      ? done()
      : done([...names].map(([name, about]) => `${name}\t${about}`).join('\n'));
  };
}

async function namesOf(
  kind: string,
  call: CommandCall,
  deps: CompleteDeps,
): Promise<Iterable<readonly [name: string, about: string]>> {
  const { accounts, clusters, registries, inventories } = deps.config.current();
  switch (kind) {
    case 'accounts':
      return [...accounts.values()].map(({ name, config }) => [name, Object.keys(config)[0] ?? '']);
    case 'clusters':
      return [...clusters.values()].map(({ name, config }) => [name, config.server]);
    case 'registries':
      return [...registries.values()].map(({ name, config }) => [name, config.matchImages.join(' ')]);
    case 'inventories':
      return [...inventories.values()].map(({ name, config }) => [name, config.cluster ?? 'files']);
    case 'profiles':
      return profileNames([...inventories.keys()].flatMap((name) => [...deps.inventories.profilesOf(name)]));
    case 'contexts':
      return contextsOf(call, deps);
    default:
      throw usageError('complete-names', `"${kind}" has no names`);
  }
}

/** Those of the caller's kubeconfigs, each with its cluster. */
async function contextsOf(
  call: CommandCall,
  { pathsOf, contexts }: CompleteDeps,
): Promise<[name: string, about: string][]> {
  const environment = await callerEnvironment(call, kubeconfigVariables);
  const { entries } = await contexts(pathsOf(environment, call.cwd));
  return [...entries.values()].map(({ name, cluster }) => [name, cluster]);
}
