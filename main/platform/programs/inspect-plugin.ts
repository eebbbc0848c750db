import type { LoadedAccount } from '../../domain/loaded-config.ts';
import { pluginSearchPath } from '../../domain/program/plugin-search-path.ts';
import type { ProgramFacts } from '../../domain/program/program.ts';
import { type AccountProgram, programOf } from '../../domain/program/program-of.ts';
import { createFileDigests } from './file-digests.ts';
import { programFacts } from './program-facts.ts';
import type { IsWrittenByOthers } from './rules/windows-writers.ts';

/** Checks the program that a plugin's command resolves to now; `digest` null: without reading the program. */
export type InspectPlugin = (
  plugin: Pick<AccountProgram, 'command' | 'searchPath' | 'isLibrary'>,
  options?: { digest?: 'wanted' | null },
) => Promise<ProgramFacts>;

/** Remembers digests: a program that is as it was isn't read again. `isWrittenByOthers`: on Windows. */
export function createPluginInspector(isWrittenByOthers?: IsWrittenByOthers): InspectPlugin {
  const digests = createFileDigests();
  return (plugin, { digest = 'wanted' } = {}) =>
    programFacts(plugin.command, pluginSearchPath(plugin), {
      digests,
      digest,
      isLibrary: plugin.isLibrary ?? false,
      isWrittenByOthers,
    });
}

/** The same for absolute paths. */
export function createPathInspector(): (path: string) => Promise<ProgramFacts> {
  const digests = createFileDigests();
  return (path) => programFacts(path, '', { digests });
}

/** The same for many accounts, by their names; thousands may have the same command. Those of other kinds are left out. */
export async function inspectPlugins(
  look: InspectPlugin,
  accounts: Iterable<LoadedAccount>,
): Promise<Map<string, ProgramFacts>> {
  const looks = new Map<string, Promise<ProgramFacts>>();
  const found = new Map<string, ProgramFacts>();
  for (const { name, config } of accounts) {
    const plugin = programOf(config);
    if (plugin !== null) {
      const { command, searchPath, isLibrary } = plugin;
      const key = JSON.stringify([command, searchPath, isLibrary]);
      const looked = looks.get(key) ?? look(plugin);
      looks.set(key, looked);
      found.set(name, await looked);
    }
  }
  return found;
}
