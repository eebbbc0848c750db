import { type DoorAnswer, refusalAnswer } from '../../ports/door.ts';
import { answered } from './answers.ts';
import { goJson } from './rules/go-json.ts';
import type { DockerDoorDeps } from './stored-entries.ts';

/**
 * `list`: servers with their user names, as they were stored, in the order of their names. No configured registry is
 * among them: a classic `docker build` asks for each one of the list, and fails where one fails.
 */
export function list({ gate, vault }: DockerDoorDeps): DoorAnswer {
  const locked = gate();
  if (locked) {
    return refusalAnswer(locked);
  }
  const entries = Object.values(vault.read().registryLogins);
  const named = entries.map(({ serverUrl, userName }) => [serverUrl, userName] as const);
  return answered(goJson(Object.fromEntries(named.sort(([one], [other]) => (one < other ? -1 : 1)))));
}
