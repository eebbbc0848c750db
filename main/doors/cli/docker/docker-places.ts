import { isAbsolute } from 'node:path';
import { BrokerError } from '../../../contract/broker-error.ts';
import { dockerHelperName, dockerHelperPrefix } from '../../../contract/program-names.ts';
import { dockerConfigFile } from '../../../installed/docker/docker-config-file.ts';
import { helmConfigFile, helmVariables } from '../../../installed/docker/helm-config-file.ts';
import { podmanAuthFiles, podmanAuthVariables } from '../../../installed/docker/podman-auth-files.ts';
import { podmanFile } from '../../../installed/docker/podman-file.ts';
import { callerEnvironment } from '../caller-environment.ts';
import type { CommandCall } from '../command.ts';

/** Where a program of that name is on a search path; null: nowhere. */
export type FindProgram = (name: string, searchPath: string) => Promise<{ path: string } | null>;

/** The variables of the caller that decide which files are meant. */
const variables = [
  ...new Set(['DOCKER_CONFIG', 'HOME', 'USERPROFILE', 'PATH', ...helmVariables, ...podmanAuthVariables]),
];

const dockerHelper = `${dockerHelperPrefix}${dockerHelperName}`;

export interface Places {
  config: string;
  helm: string;
  podman: string;
  /** podman’s files of logins. */
  podmanAuth: readonly string[];
  /** Where docker would find Lanyard’s helper; null: nowhere. */
  helper: string | null;
}

/** docker’s config.json (docker/cli’s cli/config), helm’s and podman’s files. Throws BrokerError without a home. */
export async function placesOf(call: CommandCall, find: FindProgram): Promise<Places> {
  const environment = await callerEnvironment(call, variables);
  const home = environment['HOME'] || environment['USERPROFILE'] || '';
  const config = dockerConfigFile(environment, call.cwd);
  const helm = helmConfigFile({ ...environment, HOME: home }, call.cwd);
  if (!isAbsolute(home) || config === null || helm === null) {
    throw new BrokerError('docker.home', 'HOME doesn’t hold an absolute path', {
      reason: 'usage',
      hint: 'set HOME to your own folder',
    });
  }
  const podmanAuth = podmanAuthFiles({ ...environment, HOME: home }, call.cwd);
  const helper = await find(dockerHelper, environment['PATH'] ?? '');
  return { config, helm, podman: podmanFile(home), podmanAuth, helper: helper?.path ?? null };
}

/** docker fails at every pull where the helper that its file names isn’t found. */
export function mustFindHelper({ helper }: Places): void {
  if (helper === null) {
    throw new BrokerError('docker.noHelper', `${dockerHelper} is not on your PATH: docker could not run it`, {
      reason: 'usage',
      hint: 'lanyard install',
    });
  }
}
