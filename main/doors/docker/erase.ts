import { dockerHelperPrefix } from '../../contract/program-names.ts';
import { type Refusal, refuse } from '../../contract/refusal.ts';
import { hubServer } from '../../domain/image/helper-answer.ts';
import { parseServer } from '../../domain/image/registry-server.ts';
import { shellWord } from '../../domain/text/shell-line.ts';
import { type DoorAnswer, type DoorContext, refusalAnswer } from '../../ports/door.ts';
import { answered, protocolError } from './answers.ts';
import type { AskedServer } from './fallback-store.ts';
import { badInput, type DockerDoorDeps, entryIn, isConfigured } from './stored-entries.ts';
import { storedKind } from './stored-kind.ts';

/**
 * `erase`: a server’s URL on stdin. The entry is gone from both generations of the vault when it is answered. Where there
 * is none, that is a success: docker erases several spellings at a logout, and podman knows no other answer. What another
 * helper’s store has stays there: then this is an error, or docker would report a logout that has no effect.
 */
export async function erase(
  text: string,
  calledAs: string | null,
  context: DoorContext,
  { configured, fallback, gate, vault, recorder }: DockerDoorDeps,
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
  const holder = await fallback.holder({ serverUrl, server }, context);
  return holder === null
    ? answered()
    : refusalAnswer(holder.ok ? staysIn(holder.helper, { serverUrl, server }) : holder);
}

function staysIn(helper: string, { serverUrl, server: { key } }: AskedServer): Refusal {
  const program = `${dockerHelperPrefix}${helper}`;
  // As it was asked for: other stores have each spelling of a server as an entry.
  const named = key === 'docker.io' ? hubServer : serverUrl;
  return refuse(
    'notPermitted',
    'docker.elsewhere',
    `Lanyard has no stored entry for ${key} any more, but the store ${helper} has one`,
    `remove it there: echo ${shellWord(named)} | ${program} erase`,
  );
}
