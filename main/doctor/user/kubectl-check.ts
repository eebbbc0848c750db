import { observe } from '../../domain/text/finding.ts';
import { shellWord } from '../../domain/text/shell-line.ts';
import type { FoundKubectl } from '../../kubernetes/find-kubectl.ts';
import { type Check, listed, type Observed } from '../check.ts';
import type { UserEnvironment } from './user-environment.ts';

/**
 * Checks the caller’s kubectl: found, its version, and whether it can read Lanyard’s entries. `v1Files`: kubeconfigs
 * whose entries for Lanyard have `client.authentication.k8s.io/v1`.
 */
export function kubectlCheck(person: UserEnvironment, v1Files: () => Promise<readonly string[]>): Check {
  return {
    group: 'tools',
    name: 'kubectl',
    subject: 'kubectl',
    run: async () => {
      const found = observe('kubectl');
      const kubectl = await person.kubectl();
      if (kubectl === null) {
        return [found.note('there is none on PATH')];
      }
      if (kubectl.version === null) {
        return [observeFault(kubectl)];
      }
      const version = `${kubectl.version.major}.${kubectl.version.minor}`;
      if (!kubectl.knowsV1) {
        const files = await v1Files();
        const beta = 'lanyard kubeconfig write --api-version v1beta1';
        return [
          files.length === 0
            ? observe('kubectl.version').note(
                `${kubectl.path} is ${version}, which knows v1beta1 at most`,
                `what lanyard writes for it has to say so: ${beta}`,
              )
            : observe('kubectl.version').problem(
                `${kubectl.path} is ${version}, and can’t read the v1 entries in ${listed(files)}`,
                `take kubectl 1.22 or newer, or write them again: ${beta}`,
              ),
        ];
      }
      return [
        observe('kubectl.version').ok(`${kubectl.path} is ${version}`),
        ...(kubectl.dispatcher
          ? [
              observe('kubectl.dispatcher').note(
                `${kubectl.path} picks another kubectl by each server’s version: it asks for the credential twice`,
              ),
            ]
          : []),
      ];
    },
  };
}

function observeFault({ path, target, fault }: FoundKubectl): Observed {
  const found = observe('kubectl');
  switch (fault) {
    case 'othersCanReplace':
      return found.warning(
        `${path} was not run: other users of this machine could put another program in its place`,
        `look at who may write: ls -ld ${shellWord(target)} and the folders that it is in`,
      );
    case 'timedOut':
      return found.warning(
        `${path} did not tell its version in time`,
        `try: ${shellWord(path)} version --client`,
      );
    default:
      return found.warning(`${path} does not tell its version`, `try: ${shellWord(path)} version --client`);
  }
}
