import { readFile, realpath } from 'node:fs/promises';
import { type Observation, observe } from '../../domain/text/finding.ts';
import type { Check } from '../check.ts';
import type { UserEnvironment } from './user-environment.ts';

const install = 'lanyard install';

/** Checks the helper’s names on the caller’s PATH: each should be this home’s helper. */
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

/** Whether both are one file, or equal copies: a package may have installed it. */
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
