import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  FakeKeychain,
  passphrase,
  temporaryHome,
  unitDependencies,
  withSession,
} from '../../test/support/vault-parts.ts';
import { decodeFile, encodeFile, encodePrefix, type VaultHeader, type VaultParts } from './format.ts';
import { openVault } from './open-vault.ts';

async function partsOf(file: string): Promise<VaultParts> {
  const parts = decodeFile(await readFile(file));
  if (parts.kind === 'broken') {
    throw new Error(parts.reason);
  }
  return parts;
}

/** Writes the vault as an attacker would who knows the format but not the key: the checksum fits. */
async function tamper(home: string, change: (header: VaultHeader) => VaultHeader, sealed?: Buffer) {
  const file = join(home, 'vault');
  const parts = await partsOf(file);
  await writeFile(file, encodeFile(encodePrefix(change(parts.header)), sealed ?? parts.sealed));
}

describe('a vault that was changed, with a checksum that fits (rule: sealed-vault)', () => {
  it.each<[string, (header: VaultHeader) => VaultHeader]>([
    ['its generation', (header) => ({ ...header, generation: 99 })],
    ['its time of making', (header) => ({ ...header, createdAt: 5 })],
    ['its slots', (header) => ({ ...header, slots: [...header.slots, ...header.slots] })],
    ['the order of its header', ({ id, ...rest }) => ({ ...rest, id })],
  ])('%s: broken', async (_, change) => {
    await using at = await temporaryHome();
    const keychain = new FakeKeychain();
    await (await openVault(unitDependencies(at.home, { keychain }))).update(withSession('first'));
    await tamper(at.home, change);
    const vault = await openVault(unitDependencies(at.home, { keychain }));
    expect(vault.state()).toMatchObject({ kind: 'broken', code: 'vault.broken.damaged' });
  });

  it('the content of its older generation under the newer header: broken', async () => {
    await using at = await temporaryHome();
    const keychain = new FakeKeychain();
    await (await openVault(unitDependencies(at.home, { keychain }))).update(withSession('first'));
    const older = await partsOf(join(at.home, 'vault.previous'));
    await tamper(at.home, (header) => header, older.sealed);
    const vault = await openVault(unitDependencies(at.home, { keychain }));
    expect(vault.state()).toMatchObject({ kind: 'broken', code: 'vault.broken.damaged' });
  });

  it('its scrypt made cheaper: the right passphrase doesn’t open it', async () => {
    await using at = await temporaryHome();
    await (await openVault(unitDependencies(at.home, { passphrase }))).update(withSession('first'));
    await tamper(at.home, (header) => ({
      ...header,
      slots: header.slots.map((slot) =>
        slot.kind === 'passphrase' ? { ...slot, kdf: { ...slot.kdf, r: 1 } } : slot,
      ),
    }));
    const vault = await openVault(unitDependencies(at.home, { passphrase }));
    expect(vault.state()).toMatchObject({ kind: 'locked', how: 'passphrase' });
  });

  it('a slot of another vault: not opened, even where both have the same passphrase', async () => {
    await using at = await temporaryHome();
    await using other = await temporaryHome();
    await openVault(unitDependencies(at.home, { passphrase }));
    await openVault(unitDependencies(other.home, { passphrase }));
    const { slots } = (await partsOf(join(other.home, 'vault'))).header;
    await tamper(at.home, (header) => ({ ...header, slots }));
    const vault = await openVault(unitDependencies(at.home, { passphrase }));
    expect(vault.state()).toMatchObject({ kind: 'locked', how: 'passphrase' });
  });
});
