import { chmod, copyFile, mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { modeOf, withoutLinks } from '../../test/support/system.ts';
import {
  FailingFiles,
  FakeKeychain,
  passphrase,
  refreshTokenIn,
  temporaryHome,
  unavailable,
  unitDependencies,
  withSession,
} from '../../test/support/vault-parts.ts';
import { Secret } from '../base/secret.ts';
import { noTexts } from '../domain/testing/no-entries.ts';
import { createFileOperations } from './file-operations.ts';
import { openVault } from './open-vault.ts';
import { newRecoveryKey } from './recovery-key.ts';

const exportPassphrase = new Secret('of the export alone');
const time = '2026-01-01T00-00-00-000Z';
const confirmed = {
  ...noTexts,
  accounts: { corp: '{"kind":"oidc"}' },
  settings: {},
  programs: {},
  forms: noTexts,
};

async function made(home: string, more: Parameters<typeof unitDependencies>[1] = {}) {
  const keychain = new FakeKeychain();
  const vault = await openVault(unitDependencies(home, { keychain, ...more }));
  await vault.update((content) => ({ ...withSession('kept')(content), confirmed }));
  await vault.update((content) => ({ ...content }));
  return { vault, keychain, file: join(home, 'vault') };
}

const names = async (home: string) => (await readdir(home)).sort();

describe('an export', () => {
  it('is the vault once more, opened by its own passphrase alone, for its owner alone, its sessions stale', async () => {
    await using at = await temporaryHome();
    const { vault, keychain } = await made(at.home);
    await vault.setPassphrase({ passphrase });
    const path = join(at.home, 'export');
    expect(await vault.exportTo(path, exportPassphrase)).toEqual({ ok: true });
    expect(modeOf(path)).toBe(0o600);
    expect(await names(at.home)).toEqual(['export', 'vault', 'vault.previous']);
    expect(vault.read().sessions['corp']).toMatchObject({ stale: false });
    expect((await readFile(path)).includes('kept')).toBe(false);
    await using other = await temporaryHome();
    await copyFile(path, join(other.home, 'vault'));
    const copy = await openVault(unitDependencies(other.home, { keychain }));
    expect(copy.state()).toMatchObject({ kind: 'locked', how: 'passphrase', ways: ['passphrase'] });
    expect(await copy.unlock({ passphrase })).toMatchObject({ code: 'vault.passphrase.wrong' });
    expect(await copy.unlock({ passphrase: exportPassphrase })).toEqual({ ok: true });
    expect(refreshTokenIn(copy.read())).toBe('kept');
    expect(copy.read().sessions['corp']).toMatchObject({ stale: true });
    // Not the first generation of a new vault, which would take any config.yaml for confirmed
    // (rule: confirmed-binding).
    expect(copy.state()).toMatchObject({ generation: expect.not.toSatisfy((value: number) => value === 1) });
  });

  it('takes no other file’s place, not even a link’s, and leaves none behind where it fails', async () => {
    await using at = await temporaryHome();
    const { vault } = await made(at.home);
    const path = join(at.home, 'export');
    await writeFile(path, 'mine');
    const taken = { ok: false, reason: 'usage', code: 'vault.exists' };
    expect(await vault.exportTo(path, exportPassphrase)).toMatchObject(taken);
    if (!withoutLinks) {
      await symlink(join(at.home, 'nowhere'), join(at.home, 'link'));
      expect(await vault.exportTo(join(at.home, 'link'), exportPassphrase)).toMatchObject(taken);
      await rm(join(at.home, 'link'));
    }
    expect(await vault.exportTo(join(at.home, 'no', 'folder'), exportPassphrase)).toMatchObject({
      ok: false,
      code: 'vault.homeMissing',
    });
    expect(await readFile(path, 'utf8')).toBe('mine');
    expect(await names(at.home)).toEqual(['export', 'vault', 'vault.previous']);
  });

  it('is whole or not there, wherever its writing ends', async () => {
    await using at = await temporaryHome();
    for (let failAt = 1; failAt <= 6; failAt += 1) {
      const home = join(at.home, String(failAt));
      await mkdir(home);
      const files = new FailingFiles();
      const { vault } = await made(home, { files });
      files.restart({ failAt, code: 'ENOSPC' });
      const path = join(home, 'export');
      const outcome = await vault.exportTo(path, exportPassphrase);
      expect(outcome.ok || outcome.code, `step ${failAt}`).toBe(failAt === 6 ? true : 'vault.diskFull');
      files.restart({ failAt: 0 });
      const left = (await names(home)).filter((name) => name.startsWith('export'));
      expect(left.filter((name) => name === 'export')).toEqual(failAt === 6 ? ['export'] : []);
      expect(vault.state().kind).toBe('open');
    }
  });
});

describe('restoring from a file', () => {
  async function exported(at: string) {
    await using from = await temporaryHome();
    const { vault } = await made(from.home);
    const path = join(at, 'export');
    await vault.exportTo(path, exportPassphrase);
    return path;
  }

  it('into an open vault: keeps its unlock methods, and sets its content aside', async () => {
    await using at = await temporaryHome();
    const { vault, keychain } = await made(at.home);
    await vault.setPassphrase({ passphrase });
    await vault.update(withSession('own'));
    const path = await exported(at.home);
    expect(await vault.restoreFrom(path)).toMatchObject({
      code: 'vault.passphrase.needed',
      reason: 'locked',
    });
    expect(await vault.restoreFrom(path, { passphrase })).toMatchObject({ code: 'vault.passphrase.wrong' });
    expect(await names(at.home)).toEqual(['export', 'vault', 'vault.previous']);
    expect(await vault.restoreFrom(path, { passphrase: exportPassphrase })).toEqual({
      ok: true,
      aside: [`vault.${time}`, `vault.previous.${time}`],
      ways: ['keychain', 'passphrase'],
    });
    const again = await openVault(unitDependencies(at.home, { keychain }));
    for (const each of [vault, again]) {
      expect(refreshTokenIn(each.read())).toBe('kept');
      expect(each.read().sessions['corp']).toMatchObject({ stale: true });
      expect(each.read().confirmed).toEqual(confirmed);
    }
    // And back: what was set aside is a vault like any other.
    expect(await again.restoreFrom(join(at.home, `vault.${time}`))).toMatchObject({
      ok: true,
      aside: [`vault.${time}-2`, `vault.previous.${time}-2`],
    });
    expect(refreshTokenIn(again.read())).toBe('own');
  });

  it.each([
    ['nobody can open', async () => undefined],
    ['is damaged', (home: string) => writeFile(join(home, 'vault'), 'damaged')],
    ['is gone', (home: string) => rm(join(home, 'vault'))],
  ])(
    'where the present one %s: a new one, by the keychain, with what was confirmed there',
    async (_, change) => {
      await using at = await temporaryHome();
      const { vault } = await made(at.home);
      await vault.dispose();
      await change(at.home);
      const keychain = new FakeKeychain();
      const present = await openVault(unitDependencies(at.home, { keychain }));
      const path = await exported(at.home);
      expect(await present.restoreFrom(path, { passphrase: exportPassphrase })).toMatchObject({
        ok: true,
        ways: ['keychain'],
      });
      const again = await openVault(unitDependencies(at.home, { keychain }));
      expect(again.state()).toMatchObject({ kind: 'open', generation: 2 });
      expect(again.read().confirmed).toEqual(confirmed);
      expect(again.read().sessions['corp']).toMatchObject({ stale: true });
      expect(await again.unlock()).toEqual({ ok: true });
    },
  );

  it('without a keychain is opened by the export’s passphrase from then on', async () => {
    await using at = await temporaryHome();
    const keychain = new FakeKeychain();
    keychain.failure = unavailable;
    const none = await openVault(unitDependencies(at.home, { keychain }));
    const path = await exported(at.home);
    expect(await none.restoreFrom(path, { passphrase: exportPassphrase })).toEqual({
      ok: true,
      aside: [],
      ways: ['passphrase'],
    });
    await none.lock();
    expect(await none.unlock({ passphrase: exportPassphrase })).toEqual({ ok: true });
  });

  it('takes a vault that was set aside by its recovery key, too', async () => {
    await using at = await temporaryHome();
    const { vault, file } = await made(at.home);
    const recoveryKey = newRecoveryKey();
    await vault.addRecoveryKey({ recoveryKey, replace: false });
    await using other = await temporaryHome();
    const { vault: present } = await made(other.home);
    const aside = join(other.home, 'aside');
    await copyFile(file, aside);
    expect(await present.restoreFrom(aside, { recoveryKey: newRecoveryKey() })).toMatchObject({
      code: 'vault.recoveryKey.wrong',
    });
    expect(await present.restoreFrom(aside, { recoveryKey })).toMatchObject({ ok: true });
  });

  it.each<[string, (path: string) => Promise<unknown>, string]>([
    ['not there', (path) => rm(path), 'vault.other.missing'],
    ['damaged', (path) => writeFile(path, 'damaged'), 'vault.broken.damaged'],
    ['a folder', (path) => rm(path).then(() => mkdir(path)), 'vault.broken.notAFile'],
  ])('that is %s changes nothing', async (_, change, code) => {
    await using at = await temporaryHome();
    const { vault } = await made(at.home);
    const path = await exported(at.home);
    await change(path);
    const before = await readFile(join(at.home, 'vault'));
    expect(await vault.restoreFrom(path, { passphrase: exportPassphrase })).toMatchObject({
      ok: false,
      code,
    });
    expect(await readFile(join(at.home, 'vault'))).toEqual(before);
    expect(refreshTokenIn(vault.read())).toBe('kept');
  });
});

describe('resetting', () => {
  it('makes a new vault that takes nothing for confirmed, and keeps the files of the old one', async () => {
    await using at = await temporaryHome();
    const { file } = await made(at.home);
    const [old, previous] = [await readFile(file), await readFile(join(at.home, 'vault.previous'))];
    const keychain = new FakeKeychain();
    const lost = await openVault(unitDependencies(at.home, { keychain }));
    expect(lost.state().kind).toBe('locked');
    const aside = [`vault.${time}`, `vault.previous.${time}`];
    expect(await lost.reset()).toEqual({ ok: true, aside, ways: ['keychain'] });
    expect(await readFile(join(at.home, aside[0] ?? ''))).toEqual(old);
    expect(await readFile(join(at.home, aside[1] ?? ''))).toEqual(previous);
    const again = await openVault(unitDependencies(at.home, { keychain }));
    expect(again.state()).toEqual({ kind: 'open', slots: ['keychain'], generation: 2 });
    expect(again.read()).toMatchObject({ sessions: {}, confirmed: { accounts: {} } });
  });

  it('is refused where the vault is open, and where there is none', async () => {
    await using at = await temporaryHome();
    const { vault } = await made(at.home);
    expect(await vault.reset()).toMatchObject({ ok: false, code: 'vault.open' });
    await using empty = await temporaryHome();
    const keychain = new FakeKeychain();
    keychain.failure = unavailable;
    const none = await openVault(unitDependencies(empty.home, { keychain }));
    expect(await none.reset({ passphrase })).toMatchObject({ ok: false, code: 'vault.none' });
    expect(await names(empty.home)).toEqual([]);
  });

  it('of a gate removes its content from memory: an update of before can’t come back', async () => {
    await using at = await temporaryHome();
    const { vault, keychain } = await made(at.home);
    const update = vault.update(withSession('late'));
    await Promise.all([update, vault.lock()]);
    expect(await vault.reset()).toMatchObject({ ok: true });
    expect(vault.read().sessions).toEqual({});
    await vault.update(withSession('new'));
    const again = await openVault(unitDependencies(at.home, { keychain }));
    expect(refreshTokenIn(again.read())).toBe('new');
  });

  it('needs a passphrase where the keychain can’t be used, and a good one', async () => {
    await using at = await temporaryHome();
    await made(at.home);
    const keychain = new FakeKeychain();
    keychain.failure = unavailable;
    const lost = await openVault(unitDependencies(at.home, { keychain }));
    expect(await lost.reset()).toMatchObject({ code: 'vault.passphrase.needed' });
    expect(await lost.reset({ passphrase: new Secret('short') })).toMatchObject({ reason: 'usage' });
    expect(await names(at.home)).toEqual(['vault', 'vault.previous']);
    expect(await lost.reset({ passphrase })).toMatchObject({ ok: true, ways: ['passphrase'] });
  });

  it.each<[string, (home: string) => Promise<unknown>]>([
    ['a folder', (home) => rm(join(home, 'vault')).then(() => mkdir(join(home, 'vault')))],
    ['a link', (home) => rm(join(home, 'vault')).then(() => symlink('/nowhere', join(home, 'vault')))],
    ['gone', (home) => rm(join(home, 'vault'))],
    ['damaged', (home) => writeFile(join(home, 'vault'), 'x')],
    ['of a newer Lanyard', (home) => writeNewer(join(home, 'vault'))],
  ])('works where the vault’s file is %s', async (_, change) => {
    await using at = await temporaryHome();
    const { vault } = await made(at.home);
    await vault.dispose();
    await change(at.home);
    const keychain = new FakeKeychain();
    const broken = await openVault(unitDependencies(at.home, { keychain }));
    expect(broken.state().kind).toBe('broken');
    expect(await broken.reset()).toMatchObject({ ok: true });
    const again = await openVault(unitDependencies(at.home, { keychain }));
    expect(again.state()).toMatchObject({ kind: 'open' });
    expect((await names(at.home)).filter((name) => name.includes(time)).length).toBeGreaterThan(0);
  });

  it('works without hard links', async () => {
    await using at = await temporaryHome();
    await made(at.home);
    const files = createFileOperations();
    files.link = () => Promise.reject(Object.assign(new Error('no links'), { code: 'EPERM' }));
    const lost = await openVault(unitDependencies(at.home, { files }));
    expect(await lost.reset()).toMatchObject({ ok: true, aside: { length: 2 } });
  });

  it('killed or failing at any step leaves the old files whole, or the new vault open', async () => {
    await using at = await temporaryHome();
    const seen = new Set<string>();
    for (const dead of [true, false]) {
      for (let failAt = 1; failAt <= 18; failAt += 1) {
        const home = join(at.home, `${dead} ${failAt}`);
        await mkdir(home);
        const { file } = await made(home);
        const old = await readFile(file);
        const keychain = new FakeKeychain();
        const files = new FailingFiles();
        const dying = await openVault(unitDependencies(home, { keychain, files }));
        files.restart({ failAt, dead });
        const outcome = await dying.reset();
        const after = await openVault(unitDependencies(home, { keychain }));
        const isNew = after.state().kind === 'open';
        seen.add(`${isNew}`);
        const kept = await Promise.all(
          (await readdir(home))
            .filter((name) => !name.includes('.tmp'))
            .map((name) => readFile(join(home, name))),
        );
        expect(
          kept.some((bytes) => bytes.equals(old)),
          `step ${failAt}`,
        ).toBe(true);
        if (outcome.ok) {
          expect(isNew).toBe(true);
        } else if (!isNew) {
          expect(keychain.entries.size, `step ${failAt}`).toBe(0);
          // Done again, it goes through.
          const later = await openVault(unitDependencies(home, { keychain, clock: { now: () => 0 } }));
          expect(await later.reset(), `step ${failAt}`).toMatchObject({ ok: true });
        }
      }
    }
    expect([...seen].sort()).toEqual(['false', 'true']);
  });
});

async function writeNewer(path: string): Promise<void> {
  const { createHash } = await import('node:crypto');
  const bytes = await readFile(path);
  bytes.writeUInt32BE(99, 8);
  createHash('sha256')
    .update(bytes.subarray(0, -32))
    .digest()
    .copy(bytes, bytes.length - 32);
  await writeFile(path, bytes);
  await chmod(path, 0o600);
}
