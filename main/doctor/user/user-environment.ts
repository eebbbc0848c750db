import { posix, win32 } from 'node:path';
import { type FoundKubectl, findKubectl } from '../../kubernetes/find-kubectl.ts';
import { type FoundProgram, findProgram } from '../../platform/programs/find-program.ts';

/** The caller’s variables that the doctor reads. */
export const userVariables = [
  'DOCKER_CONFIG',
  'HOME',
  'HTTPS_PROXY',
  'KUBECONFIG',
  'KUBERC',
  'NO_PROXY',
  'PATH',
  'SHELL',
  'USERPROFILE',
  'XDG_CONFIG_HOME',
  'XDG_DATA_HOME',
  'https_proxy',
  'no_proxy',
] as const;

/** The environment of the caller’s terminal, not the broker’s. */
export interface UserEnvironment {
  platform: NodeJS.Platform;
  cwd: string;
  variables: Readonly<Record<string, string>>;
  /** Absolute; null where the environment names none. */
  homeDirectory: string | null;
  /** Searched once, however many checks call it. */
  kubectl(): Promise<FoundKubectl | null>;
  program(name: string): Promise<FoundProgram | null>;
}

export function readUserEnvironment(
  of: Pick<UserEnvironment, 'platform' | 'cwd' | 'variables'>,
): UserEnvironment {
  const { platform, variables } = of;
  const path = platform === 'win32' ? win32 : posix;
  const home = (platform === 'win32' ? variables['USERPROFILE'] : variables['HOME']) ?? '';
  const searchPath = variables['PATH'] ?? '';
  let kubectl: Promise<FoundKubectl | null> | null = null;
  return {
    ...of,
    homeDirectory: path.isAbsolute(home) ? home : null,
    kubectl: () => {
      kubectl ??= findKubectl(searchPath, { platform });
      return kubectl;
    },
    program: (name) => findProgram(name, searchPath, { platform }),
  };
}
