import { readEntry } from '../../domain/image/docker-entry.ts';
import { parseServer } from '../../domain/image/registry-server.ts';
import { withLogins } from '../../domain/image/stored-logins.ts';
import { type DoorAnswer, refusalAnswer } from '../../ports/door.ts';
import { answered, protocolError } from './answers.ts';
import { badInput, type DockerDoorDeps, isConfigured } from './stored-entries.ts';
import { storedKind } from './stored-kind.ts';

/**
 * `store`: an entry as JSON on stdin, in the place of an earlier one for that server. When it is answered, it is on disk
 * (rule: nothing-lost). Throws BrokerError where it can’t be written, or stored entries would exceed their limits.
 */
export async function store(
  text: string,
  calledAs: string | null,
  { configured, gate, vault, recorder }: DockerDoorDeps,
): Promise<DoorAnswer> {
  const locked = gate();
  if (locked) {
    return refusalAnswer(locked);
  }
  const entry = readEntry(text);
  if (!entry) {
    return refusalAnswer(
      badInput('the entry is no JSON object with ServerURL, Username and Secret as texts'),
    );
  }
  if (entry.serverUrl === '') {
    return protocolError('noServer');
  }
  if (entry.userName === '') {
    return protocolError('noUser');
  }
  const parsed = parseServer(entry.serverUrl);
  if (!parsed.ok) {
    return refusalAnswer(badInput(parsed.message));
  }
  const { server } = parsed;
  const registry = configured.find(server, calledAs);
  if (registry) {
    return refusalAnswer(isConfigured(registry, server, 'stored'));
  }
  await vault.update((content) => ({
    ...content,
    registryLogins: withLogins(content.registryLogins, { [server.key]: entry }),
  }));
  recorder.record({ kind: 'change', what: `${storedKind}.store`, name: server.key });
  return answered();
}
