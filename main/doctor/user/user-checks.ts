import type { MergedKubeconfig } from '../../domain/import/kubeconfig.ts';
import type { LoadedConfig } from '../../domain/loaded-config.ts';
import type { Paths } from '../../domain/paths.ts';
import { kubeconfigPaths } from '../../kubeconfig/read/kubeconfig-paths.ts';
import { readKubeconfigs } from '../../kubeconfig/read/read-kubeconfigs.ts';
import type { AccessLists } from '../../ports/access-lists.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Check } from '../check.ts';
import { proxyClientsCheck } from '../proxy/proxy-clients-check.ts';
import { providerLinkCheck } from '../registries/provider-link-check.ts';
import { completionCheck } from './completion-check.ts';
import { dockerCheck } from './docker-check.ts';
import { kubeconfigCheck, v1Files } from './kubeconfig-check.ts';
import { kubectlCheck } from './kubectl-check.ts';
import { kubercCheck } from './kuberc-check.ts';
import { onPathCheck } from './on-path-check.ts';
import { sharedClientCheck } from './shared-client-check.ts';
import { readUserEnvironment, type UserEnvironment } from './user-environment.ts';

/** All checks of the caller’s environment. They need no broker. */
export function userChecks(
  of: Pick<UserEnvironment, 'platform' | 'cwd' | 'variables'>,
  paths: Pick<Paths, 'helper' | 'kubeconfig'>,
  clock: Pick<Clock, 'now'>,
  /** Null: config.yaml can't be read. */
  config: Pick<LoadedConfig, 'accounts' | 'registries'> | null,
  /** The request proxy’s; null: unknown. */
  proxyPort: number | null,
  /** Null where modes count, or access lists can’t be read. */
  access: AccessLists | null,
): Check[] {
  const person = readUserEnvironment(of);
  let reading: Promise<MergedKubeconfig> | null = null;
  const read = () => {
    reading ??= readKubeconfigs(kubeconfigPaths(of.variables, of.platform, of.cwd));
    return reading;
  };
  const readAlone = (path: string) => readKubeconfigs([path]);
  const kubeconfigs = { person, read, readAlone, paths, clock, access };
  return [
    proxyClientsCheck({ person, read, port: proxyPort }),
    kubeconfigCheck(kubeconfigs),
    ...(config === null ? [] : [sharedClientCheck(read, config)]),
    kubercCheck(person, paths.helper),
    kubectlCheck(person, () => v1Files(kubeconfigs)),
    dockerCheck(person, paths.helper, config),
    ...(config === null || config.registries.size === 0 ? [] : [providerLinkCheck(paths.helper)]),
    onPathCheck(person, paths.helper),
    completionCheck(person),
  ];
}
