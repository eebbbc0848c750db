import { posix, win32 } from 'node:path';
import type { ExecPluginConfig } from '../../contract/config/accounts/exec-plugin.ts';
import { ownerText, type ProgramsOf } from '../program/program.ts';
import type { AccountEntry, PlannedProgram } from './import-plan.ts';

/** What a plugin's account would run, for display; null: it is another kind of account. */
export function plannedProgram(
  entry: AccountEntry,
  programOf: ProgramsOf,
  platform: NodeJS.Platform = process.platform,
): PlannedProgram | null {
  const path = platform === 'win32' ? win32 : posix;
  if (!('execPlugin' in entry)) {
    return null;
  }
  const plugin = entry.execPlugin as Partial<ExecPluginConfig> & Pick<ExecPluginConfig, 'command'>;
  const { command, args = [], env = [], searchPath, interactiveMode, provideClusterInfo = false } = plugin;
  const found = programOf(command, searchPath ?? null);
  const program = found?.kind === 'program' ? found : null;
  return {
    command,
    path: program?.path ?? null,
    target: program?.target ?? null,
    owner: program && ownerText(program),
    sha256: program?.sha256 ?? null,
    interpreter: program?.interpreter?.path ?? null,
    args,
    env: env.map(({ name, value }) => ({ name, inVault: value === undefined, value: value ?? null })),
    interactiveMode: interactiveMode ?? 'IfAvailable',
    provideClusterInfo,
    searchPathFolders: searchPath === undefined ? 0 : searchPath.split(path.delimiter).length,
  };
}

/** Whether this account's plugin is told the cluster. */
export function tellsPlugin(entry: object): boolean {
  const { execPlugin } = entry as { execPlugin?: { provideClusterInfo?: boolean } };
  return execPlugin?.provideClusterInfo === true;
}
