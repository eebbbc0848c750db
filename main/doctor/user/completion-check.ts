import { access } from 'node:fs/promises';
import { posix } from 'node:path';
import { observe } from '../../domain/text/finding.ts';
import type { Check } from '../check.ts';
import type { UserEnvironment } from './user-environment.ts';

/** Checks whether the caller’s shell completes `lanyard …`. Finds a note at most. */
export function completionCheck(person: UserEnvironment): Check {
  return {
    group: 'tools',
    name: 'completion',
    subject: 'completion',
    run: async () => {
      const found = observe('completion');
      const shell = posix.basename(person.variables['SHELL'] ?? '');
      const files = completionFiles(shell, person);
      if (files === null) {
        return [];
      }
      for (const file of files) {
        if (await access(file).then(yes, no)) {
          return [found.ok(file)];
        }
      }
      return [found.note(`${shell} does not complete lanyard’s commands yet`, 'lanyard install')];
    },
  };
}

const yes = () => true;
const no = () => false;

/** Where that shell finds completions; null for an unknown shell. */
export function completionFiles(
  shell: string,
  { variables, homeDirectory }: Pick<UserEnvironment, 'variables' | 'homeDirectory'>,
): string[] | null {
  const home = homeDirectory ?? '/';
  const data = absolute(variables['XDG_DATA_HOME']) ?? posix.join(home, '.local/share');
  const config = absolute(variables['XDG_CONFIG_HOME']) ?? posix.join(home, '.config');
  const shared = ['/usr/local/share', '/usr/share', '/opt/homebrew/share'];
  switch (shell) {
    case 'bash':
      return [data, ...shared].map((folder) => `${folder}/bash-completion/completions/lanyard`);
    case 'zsh':
      return [
        ...[data, ...shared].map((folder) => `${folder}/zsh/site-functions/_lanyard`),
        '/usr/share/zsh/vendor-completions/_lanyard',
      ];
    case 'fish':
      return [
        `${config}/fish/completions/lanyard.fish`,
        ...[data, ...shared].map((folder) => `${folder}/fish/vendor_completions.d/lanyard.fish`),
      ];
    default:
      return null;
  }
}

function absolute(path: string | undefined): string | null {
  return path?.startsWith('/') ? path : null;
}
