import { parseServer } from '../../domain/image/registry-server.ts';
import { type DoorAnswer, type DoorContext, refusalAnswer } from '../../ports/door.ts';
import { recordingCall, refusedAs } from '../issue.ts';
import { answered, protocolError } from './answers.ts';
import type { AskedServer } from './fallback-store.ts';
import { goJson } from './rules/go-json.ts';
import { badInput, type DockerDoorDeps, entryIn, storedName } from './stored-entries.ts';

/**
 * `get`: a server’s URL on stdin, its user name and secret on stdout. The answer names the server as it was asked for.
 * A stored entry is recorded before it is issued (rule: everything-recorded, locked-issues-nothing). A server without
 * an entry is not recorded: nothing was denied, and docker asks for each public image. Also while locked such a server
 * has none: docker ends a pull of a public image at any other error.
 */
export async function get(
  text: string,
  calledAs: string | null,
  context: DoorContext,
  deps: DockerDoorDeps,
): Promise<DoorAnswer> {
  const record = recordingCall({ door: 'docker', caller: context.caller, account: null }, deps.recorder);
  const serverUrl = text.trim();
  if (serverUrl === '') {
    return protocolError('noServer');
  }
  const parsed = parseServer(serverUrl);
  if (!parsed.ok) {
    return refusalAnswer(badInput(parsed.message));
  }
  const { server } = parsed;
  const registry = deps.configured.find(server, calledAs);
  if (registry) {
    const found = await registry.answer(context, (userName, secret) =>
      credentialLine(serverUrl, userName, secret.reveal()),
    );
    if (!found.ok) {
      return refusalAnswer(found);
    }
    return found.text === '' ? protocolError('notFound') : answered(found.text);
  }
  const target = storedName(server);
  const locked = deps.gate();
  if (locked && deps.vault.hasRegistryLogin(server.key)) {
    record(refusedAs(locked, target));
    return refusalAnswer(locked);
  }
  const entry = locked ? null : entryIn(deps.vault.read(), server);
  if (!entry) {
    return fromFallback({ serverUrl, server }, context, deps);
  }
  record({ target, audience: null, outcome: 'handedOut', reason: 'held', generation: null });
  return answered(credentialLine(serverUrl, entry.userName, entry.secret.reveal()));
}

async function fromFallback(
  asked: AskedServer,
  context: DoorContext,
  { fallback }: DockerDoorDeps,
): Promise<DoorAnswer> {
  const found = await fallback.get(asked, context, (userName, secret) =>
    credentialLine(asked.serverUrl, userName, secret.reveal()),
  );
  if (found === null) {
    return protocolError('notFound');
  }
  return found.ok ? answered(found.text) : refusalAnswer(found);
}

function credentialLine(serverUrl: string, userName: string, secret: string): string {
  return goJson({ ServerURL: serverUrl, Username: userName, Secret: secret });
}
