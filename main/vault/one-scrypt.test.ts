import { join } from 'node:path';
import { expect, it } from 'vitest';
import { noScrypt, passphrase, temporaryHome, unitDependencies } from '../../test/support/vault-parts.ts';
import { Secret } from '../base/secret.ts';
import { openVault } from './open-vault.ts';
import type { PassphraseKdf } from './seal.ts';

it('one scrypt at a time, whoever asks for how many; after any number of wrong answers the right one opens', async () => {
  await using at = await temporaryHome();
  /** How many derivations run now, the most that ever did, and all. */
  const running = { now: 0, most: 0, all: 0 };
  const kdf: PassphraseKdf = {
    ...noScrypt,
    derive: async (...args) => {
      running.now += 1;
      running.all += 1;
      running.most = Math.max(running.most, running.now);
      await new Promise((resolve) => setImmediate(resolve));
      running.now -= 1;
      return noScrypt.derive(...args);
    },
  };
  const vault = await openVault(unitDependencies(at.home, { passphrase, kdf }));
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
