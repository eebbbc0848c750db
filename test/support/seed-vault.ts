import { existsSync } from 'node:fs';
import { Secret } from '../../main/base/secret.ts';
import { openVault } from '../../main/vault/index.ts';
import type { TestHome } from './home.ts';
import { dependencies } from './vault-parts.ts';

/**
 * A vault that a broker opens at once, in a home that has none: a new one, as the broker would make it, but for its
 * passphrase’s cost. Scrypt’s own takes half a second of a processor at each start. None where the passphrase is refused.
 */
export async function seedVault(home: Pick<TestHome, 'path' | 'file'>, passphrase: string): Promise<void> {
  if (!existsSync(home.file('vault'))) {
    const vault = await openVault(
      dependencies(home.path, { passphrase: new Secret(passphrase), clock: { now: Date.now } }),
    );
    await vault.dispose();
  }
}
