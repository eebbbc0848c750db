import { posix, win32 } from 'node:path';
import { splitWindowsList } from '../../base/split-windows-list.ts';

/** The caller's variables that say where kubeconfigs are. */
export interface KubeconfigEnvironment {
  KUBECONFIG?: string | undefined;
  HOME?: string | undefined;
  USERPROFILE?: string | undefined;
}

/**
 * The kubeconfigs that client-go reads, first in precedence first, as absolute paths (client-go
 * tools/clientcmd/loader.go). KUBECONFIG is a list; its empty parts are skipped, and `:` alone means no file at all.
 * Unset or empty it means `.kube/config` in the home.
 */
export function kubeconfigPaths(
  environment: KubeconfigEnvironment,
  platform: NodeJS.Platform,
  cwd: string,
): string[] {
  const path = platform === 'win32' ? win32 : posix;
  const list = environment.KUBECONFIG ?? '';
  if (list === '') {
    // client-go's homedir takes HOME on Windows, too, where it is set.
    const home = environment.HOME || (platform === 'win32' ? environment.USERPROFILE : '') || '';
    return [path.resolve(cwd, home, '.kube', 'config')];
  }
  const parts = platform === 'win32' ? splitWindowsList(list) : list.split(':');
  return [...new Set(parts.filter((part) => part !== '').map((part) => path.resolve(cwd, part)))];
}

/** What counts where KUBECONFIG isn't set, in a list; none where there is no home. */
export function usualKubeconfig(environment: KubeconfigEnvironment, platform: NodeJS.Platform): string[] {
  const { HOME, USERPROFILE } = environment;
  return HOME || (platform === 'win32' && USERPROFILE)
    ? kubeconfigPaths({ HOME, USERPROFILE }, platform, '/')
    : [];
}

/** What a program of this environment reads, in order; none where it names no file and has no home. */
export function ownKubeconfigs(
  environment: KubeconfigEnvironment,
  platform: NodeJS.Platform,
  cwd: string,
): string[] {
  return environment.KUBECONFIG
    ? kubeconfigPaths(environment, platform, cwd)
    : usualKubeconfig(environment, platform);
}
