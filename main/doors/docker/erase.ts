import { parseServer } from '../../domain/image/registry-server.ts';
import { type DoorAnswer, refusalAnswer } from '../../ports/door.ts';
import { answered, protocolError } from './answers.ts';
import { badInput, type DockerDoorDeps, entryIn, isConfigured, storedKind } from './stored-entries.ts';

/**
 * `erase`: a server’s URL on stdin. The entry is gone from both generations of the vault when it is answered. Where there
 * is none, that is a success: docker erases several spellings at a logout, and podman knows no other answer.
 */
export async function erase(
  text: string,
  calledAs: string | null,
  { configured, gate, vault, recorder }: DockerDoorDeps,
): Promise<DoorAnswer> {
  const serverUrl = text.trim();
  if (serverUrl === '') {
    return protocolError('noServer');
  }
  const parsed = parseServer(serverUrl);
  if (!parsed.ok) {
    return refusalAnswer(badInput(parsed.message));
  }
  const { server } = parsed;
  const registry = configured.find(server, calledAs);
  if (registry) {
    return refusalAnswer(isConfigured(registry, server, 'erased'));
  }
  const locked = gate();
  if (locked && vault.hasRegistryLogin(server.key)) {
    return refusalAnswer(locked);
  }
  if (!locked && entryIn(vault.read(), server)) {
    await vault.update(
      (content) => {
        const { [server.key]: _, ...registryLogins } = content.registryLogins;
        return { ...content, registryLogins };
      },
      { bothGenerations: true },
    );
    recorder.record({ kind: 'change', what: `${storedKind}.erase`, name: server.key });
  }
  return answered();
}
