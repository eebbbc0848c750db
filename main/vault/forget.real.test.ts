import { expect, it, vi } from 'vitest';
import { dependencies, passphrase, temporaryHome, withSession } from '../../test/support/vault-parts.ts';
import { openVault } from './open-vault.ts';

/** The keys that the vault writes with: the buffers themselves, which nothing else gives out. */
const keys = vi.hoisted(() => new Set<Buffer>());
vi.mock('./generation.ts', async (original) => {
  const actual = await original<typeof import('./generation.ts')>();
  const sealGeneration: typeof actual.sealGeneration = (header, dataKey, content) => {
    keys.add(dataKey);
    return actual.sealGeneration(header, dataKey, content);
  };
  return { ...actual, sealGeneration };
});

const zeros = Buffer.alloc(32);

it('the data key is in memory while the vault is open, and zeros after it was locked or ended', async () => {
  await using at = await temporaryHome();
  const vault = await openVault(dependencies(at.home, { passphrase }));
  await vault.update(withSession('a'));
  expect([...keys].map((key) => key.equals(zeros))).toEqual([false]);
  await Promise.all([vault.update(withSession('b')), vault.lock()]);
  expect([...keys].map((key) => key.equals(zeros))).toEqual([true]);

  await vault.unlock({ passphrase });
  await vault.update(withSession('c'));
  expect([...keys].map((key) => key.equals(zeros))).toEqual([true, false]);
  await vault.dispose();
  expect([...keys].map((key) => key.equals(zeros))).toEqual([true, true]);
});
