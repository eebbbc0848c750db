import type { LoadedConfig } from '../loaded-config.ts';
import { chooseAuthentication } from './authentication.ts';
import { identifyExec } from './exec-plugin.ts';
import type { MergedKubeconfig } from './kubeconfig.ts';

/** The commands whose programs a plan needs to know: those of users, and those of accounts that may equal them. */
export function pluginCommandsOf(
  { users, contexts }: Pick<MergedKubeconfig, 'users' | 'contexts'>,
  { accounts }: Pick<LoadedConfig, 'accounts'>,
  searchPath: string | null,
  chosen: readonly string[] | null,
): { command: string; searchPath: string | null }[] {
  const asked = chosen === null ? null : new Set(chosen);
  const used = new Set(
    [...contexts.values()].filter(({ name }) => asked === null || asked.has(name)).map(({ user }) => user),
  );
  const own = [...users.values()].flatMap((user) => {
    if (!user.exec || !used.has(user.name)) {
      return [];
    }
    const { authentication } = chooseAuthentication(user);
    return authentication.by === 'exec' && identifyExec(authentication.exec).what === 'other'
      ? [{ command: authentication.exec.command, searchPath }]
      : [];
  });
  const there = [...accounts.values()].flatMap(({ config }) =>
    'execPlugin' in config
      ? [{ command: config.execPlugin.command, searchPath: config.execPlugin.searchPath ?? null }]
      : [],
  );
  return own.length === 0 ? [] : [...own, ...there];
}
