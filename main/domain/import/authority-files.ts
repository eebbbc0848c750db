import { identifyExec } from './exec-plugin.ts';
import type { KubeUser, MergedKubeconfig } from './kubeconfig.ts';
import { parseKubeloginFlags } from './kubelogin-flags.ts';
import { authorityPath } from './provider-authority.ts';

/** The absolute paths of the CA files for the OpenID providers of `merged`: to read before planning. */
export function authorityFilesOf(merged: MergedKubeconfig, homeDirectory: string): string[] {
  const paths = [...merged.users.values()].flatMap((user) =>
    filesOf(user).map((file) => authorityPath(file, homeDirectory)),
  );
  return [...new Set(paths.filter((path) => path !== null))];
}

function filesOf({ exec, authProvider }: KubeUser): readonly string[] {
  const plugin = exec === null ? null : identifyExec(exec);
  if (plugin?.what === 'kubelogin') {
    const parsed = parseKubeloginFlags(plugin.flags);
    return parsed.ok ? parsed.flags.all('certificate-authority') : [];
  }
  const key = 'idp-certificate-authority';
  const file =
    authProvider && Object.hasOwn(authProvider.config, key) ? authProvider.config[key]?.reveal() : '';
  return file ? [file] : [];
}
