import { readFile, realpath } from 'node:fs/promises';
import { type Observation, observe } from '../../domain/text/finding.ts';
import type { Check } from '../check.ts';
import type { UserEnvironment } from './user-environment.ts';

const install = 'lanyard install';

/** The names that the helper is called under: on the caller's PATH, and this home's own. */
export function onPathCheck(person: UserEnvironment, helper: string): Check {
  return {
    group: 'tools',
    name: 'path',
    subject: null,
    run: async () => [
      {
        ...(await observeName('lanyard', person, helper, 'a shell finds no lanyard on PATH')),
        subject: 'lanyard',
      },
      {
        ...(await observeName('kubectl-lanyard', person, helper, 'kubectl has no command "lanyard" yet')),
        subject: 'kubectl-lanyard',
      },
    ],
  };
}

async function observeName(
  name: string,
  person: UserEnvironment,
  helper: string,
  missing: string,
): Promise<Observation> {
  const found = observe(`path.${name}`);
  const program = await person.program(name);
  if (program === null) {
    return found.note(missing, install);
  }
  return (await isSame(program.target, helper))
    ? found.ok(program.path)
    : found.warning(`${program.path} is another program than this home’s helper, ${helper}`, install);
}

/** The same file, or an equal copy: a package may have put it there. */
export async function isSame(one: string, other: string): Promise<boolean> {
  try {
    if ((await realpath(one)) === (await realpath(other))) {
      return true;
    }
    const [first, second] = await Promise.all([readFile(one), readFile(other)]);
    return first.equals(second);
  } catch {
    return false;
  }
}
