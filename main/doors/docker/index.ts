import { type DockerRequest, dockerRequest } from '../../contract/frames.ts';
import { refuse } from '../../contract/refusal.ts';
import { type Door, type DoorAnswer, type DoorContext, refusalAnswer } from '../../ports/door.ts';
import { erase } from './erase.ts';
import { get } from './get.ts';
import { list } from './list.ts';
import { inputText } from './rules/input.ts';
import { store } from './store.ts';
import { badInput, type DockerDoorDeps } from './stored-entries.ts';

export type { ConfiguredRegistries, ConfiguredRegistry } from './configured-registries.ts';
export type { DockerDoorDeps } from './stored-entries.ts';

/**
 * The docker door: docker’s credential helper protocol, for any program of this user. A refusal of Lanyard’s own is
 * answered as at every door; the helper says it in docker’s form, on stdout with exit code 1.
 */
export function createDockerDoor(deps: DockerDoorDeps): Door {
  return async (request, context) => {
    const parsed = dockerRequest.safeParse(request);
    return parsed.success
      ? answer(parsed.data, context, deps)
      : refusalAnswer(refuse('usage', 'docker.request', 'the helper’s request is not of this protocol'));
  };
}

async function answer(
  { action, calledAs, input }: DockerRequest,
  context: DoorContext,
  deps: DockerDoorDeps,
): Promise<DoorAnswer> {
  const text = inputText(Buffer.from(input, 'base64'));
  if (text === null) {
    return refusalAnswer(badInput('standard input is not UTF-8'));
  }
  switch (action) {
    case 'get':
      return get(text, calledAs, context, deps);
    case 'store':
      return store(text, calledAs, deps);
    case 'erase':
      return erase(text, calledAs, context, deps);
    case 'list':
      return list(deps);
  }
}
