import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { passphrase, temporaryHome, unitDependencies, withSession } from '../../test/support/vault-parts.ts';
import { openVault } from './open-vault.ts';

/** The keys that the vault seals and opens with: the buffers themselves, which nothing else gives out. */
const keys = new Set<NodeJS.ArrayBufferView>();
beforeEach(() => {
  keys.clear();
  for (const name of ['createCipheriv', 'createDecipheriv'] as const) {
    const real = crypto[name] as (...args: unknown[]) => unknown;
    vi.spyOn(crypto, name).mockImplementation(((...args: unknown[]) => {
      keys.add(args[1] as Buffer);
      return real(...args);
    }) as never);
  }
  syncBuiltinESMExports();
});
afterEach(() => {
  vi.restoreAllMocks();
  syncBuiltinESMExports();
});

const zeros = Buffer.alloc(32);
const kept = () => [...keys].filter((key) => !zeros.equals(key as Buffer)).length;

it('only the data key is in memory while the vault is open, and zeros after it was locked or ended', async () => {
  await using at = await temporaryHome();
  const vault = await openVault(unitDependencies(at.home, { passphrase }));
  await vault.update(withSession('a'));
  expect(kept()).toBe(1);
  await Promise.all([vault.update(withSession('b')), vault.lock()]);
  expect(kept()).toBe(0);

  await vault.unlock({ passphrase });
  await vault.update(withSession('c'));
  expect([kept(), keys.size]).toEqual([1, 4]);
  await vault.dispose();
  expect(kept()).toBe(0);
});
