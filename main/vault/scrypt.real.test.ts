import { copyFile, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { dependencies, temporaryHome, unitDependencies } from '../../test/support/vault-parts.ts';
import { Secret } from '../base/secret.ts';
import { decodeFile } from './format.ts';
import { slotOf } from './load.ts';
import { openVault } from './open-vault.ts';
import { scryptKdf } from './seal.ts';

const { kdf: _, ...asTheBroker } = dependencies('');
const release = join(import.meta.dirname, '..', '..', 'test', 'support', 'vault-0.1.0');

async function kdfOf(file: string) {
  const parts = decodeFile(await readFile(file));
  return parts.kind === 'parts' ? slotOf(parts.header, 'passphrase')?.kdf : parts;
}

it('is RFC 7914’s (its section 12), with the parameters that it is given', async () => {
  const salt = Buffer.from('SodiumChloride').toString('base64');
  const key = await scryptKdf.derive(Buffer.from('pleaseletmein'), {
    name: 'scrypt',
    N: 16_384,
    r: 8,
    p: 1,
    salt,
  });
  expect(key.toString('hex')).toBe('7023bdcb3afd7348461c06cd81fd38ebfda8fbba904f8e3ea9b543f6545da1f2');
});

it('a vault asks for it where nothing else is passed in, at its full cost (rule: sealed-vault)', async () => {
  await using at = await temporaryHome();
  const passphrase = new Secret('correct horse battery staple');
  const vault = await openVault({ ...asTheBroker, home: at.home, passphrase });
  expect(vault.state().kind).toBe('open');
  await vault.dispose();
  const file = join(at.home, 'vault');
  expect(await kdfOf(file)).toMatchObject({ name: 'scrypt', N: 131_072, r: 8, p: 1 });
  const other = await openVault(unitDependencies(at.home, { passphrase }));
  expect(other.state()).toMatchObject({ kind: 'locked', reason: 'the passphrase is wrong' });
});

it('opens a vault of an earlier release at the cost that its slot names', async () => {
  await using at = await temporaryHome();
  const file = join(at.home, 'vault');
  await copyFile(join(release, 'vault'), file);
  const passphrase = new Secret('of the vault of 0.1.0');
  const vault = await openVault({ ...asTheBroker, home: at.home, passphrase });
  expect(vault.state()).toMatchObject({ kind: 'open', slots: ['passphrase'] });
});
