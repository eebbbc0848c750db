import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { dependencies, passphrase, temporaryHome } from '../../test/support/vault-parts.ts';
import { Secret } from '../base/secret.ts';
import { openVault } from './open-vault.ts';

/** How many derivations run now, and the most that ever did. */
const running = vi.hoisted(() => ({ now: 0, most: 0, all: 0 }));
vi.mock('./seal.ts', async (original) => {
  const actual = await original<typeof import('./seal.ts')>();
  const counted =
    <Args extends unknown[], T>(derive: (...args: Args) => Promise<T>) =>
    async (...args: Args): Promise<T> => {
      running.now += 1;
      running.all += 1;
      running.most = Math.max(running.most, running.now);
      try {
        return await derive(...args);
      } finally {
        running.now -= 1;
      }
    };
  return {
    ...actual,
    makePassphraseSlot: counted(actual.makePassphraseSlot),
    openPassphraseSlot: counted(actual.openPassphraseSlot),
  };
});

it('one scrypt at a time, whoever asks for how many; after any number of wrong answers the right one opens', async () => {
  await using at = await temporaryHome();
  const vault = await openVault(dependencies(at.home, { passphrase }));
  const next = new Secret('quite another passphrase');
  await Promise.all([
    vault.changePassphrase({ passphrase }, { passphrase: next }),
    vault.checkPassphrase(passphrase),
    vault.exportTo(join(at.home, 'export'), next),
    vault.changePassphrase({ passphrase: next }, { passphrase }),
  ]);
  await vault.lock();
  const wrong = Array.from({ length: 20 }, () => vault.unlock({ passphrase: next }));
  for (const each of await Promise.all(wrong)) {
    expect(each).toMatchObject({ ok: false, code: 'vault.passphrase.wrong' });
  }
  expect(await vault.unlock({ passphrase })).toEqual({ ok: true });
  expect(running).toMatchObject({ now: 0, most: 1 });
  expect(running.all).toBeGreaterThan(25);
});
