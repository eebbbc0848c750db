import type { Secret } from '../base/secret.ts';
import { toRefusal } from '../contract/broker-error.ts';
import { type Refusal, refuse } from '../contract/refusal.ts';
import { timeInName } from '../domain/text/time-in-name.ts';
import type { Keychain } from '../ports/keychain.ts';
import type { VaultContent } from '../ports/vault.ts';
import { makeVault } from './create-vault.ts';
import { forget, type OpenedGeneration, withStaleSessions } from './generation.ts';
import { waysOf } from './load.ts';
import type { PassphraseKdf } from './seal.ts';
import type { Replaced, VaultChanged } from './vault-control.ts';
import type { VaultFiles, Written } from './vault-files.ts';
import { writeGeneration } from './write-generation.ts';

export interface ReplaceDeps {
  files: VaultFiles;
  /** Null in passphrase mode. */
  keychain: Keychain | null;
  kdf: PassphraseKdf;
  /** Milliseconds since 1970. */
  now: number;
}

/**
 * Not 1: only for a first generation is config.yaml approved as it is. No one approved what it says by now
 * (rule: confirmed-binding).
 */
const generation = 2;

/** Writes a copy to `path`, with its own passphrase. Moved into the vault’s place by hand, it doesn’t count as new. */
export async function exportVault(
  { files, kdf, now }: Omit<ReplaceDeps, 'keychain'>,
  opened: OpenedGeneration,
  path: string,
  passphrase: Secret,
): Promise<VaultChanged> {
  const content = withStaleSessions(opened.content);
  const made = await makeVault(
    { kind: 'passphrase', passphrase, kdf },
    { createdAt: now, generation, content },
  );
  if (!made.ok) {
    return refuse('usage', 'vault.passphrase.short', made.reason);
  }
  forget(made.opened);
  const written = await files.create(made.file, path);
  return written.ok ? { ok: true } : notExported(written, path);
}

/** Other content for an open vault, which keeps its unlock methods. */
export async function replaceContent(
  { files, now }: Pick<ReplaceDeps, 'files' | 'now'>,
  opened: OpenedGeneration,
  content: VaultContent,
): Promise<Replaced> {
  const aside = await files.setAside(timeInName(now));
  if (!aside.ok) {
    return aside.error.toRefusal();
  }
  try {
    await writeGeneration(opened, content, (file, again) => files.replaceBoth(file, again()));
  } catch (error) {
    return toRefusal(error);
  }
  return { ok: true, aside: aside.names, ways: waysOf(opened.header) };
}

/**
 * A new vault in place of one that isn’t open. The keychain opens it, or `passphrase` where the keychain can’t be used.
 * `opened` is what was written.
 */
export async function replaceVault(
  { files, keychain, kdf, now }: ReplaceDeps,
  content: VaultContent,
  passphrase: Secret | undefined,
): Promise<{ ok: true; opened: OpenedGeneration; aside: readonly string[] } | Refusal> {
  const inside = { createdAt: now, generation, content };
  const byKeychain = keychain && (await makeVault({ kind: 'keychain', keychain }, inside));
  if (!byKeychain?.ok && !passphrase) {
    const reason = byKeychain?.reason ?? 'this agent was started with a passphrase file';
    const message = `the new vault needs a passphrase: ${reason}`;
    return refuse('locked', 'vault.passphrase.needed', message, 'run it at a terminal');
  }
  const made =
    byKeychain?.ok || !passphrase
      ? byKeychain
      : await makeVault({ kind: 'passphrase', passphrase, kdf }, inside);
  if (!made?.ok) {
    return refuse('usage', 'vault.passphrase.short', made?.reason ?? '');
  }
  const aside = await files.setAside(timeInName(now));
  const written = aside.ok ? await files.replaceBoth(made.file, made.again()) : aside;
  if (!written.ok) {
    await made.abandon(written);
    return written.error.toRefusal();
  }
  return { ok: true, opened: made.opened, aside: aside.ok ? aside.names : [] };
}

function notExported(written: Written & { ok: false }, path: string): Refusal {
  const { code, message } = written.error;
  return code === 'vault.exists'
    ? refuse('usage', code, `there is a file ${path} already`, 'say another name: nothing is overwritten')
    : refuse('internal', code, message.replace('the vault', path), written.error.hint);
}
