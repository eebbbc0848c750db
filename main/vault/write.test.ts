import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { modeOf } from '../../test/support/system.ts';
import {
  FailingFiles,
  passphrase,
  refreshTokenIn,
  temporaryHome,
  unitDependencies,
  withSession,
} from '../../test/support/vault-parts.ts';
import type { FileOperations } from './file-operations.ts';
import { openVault } from './open-vault.ts';

const open = (home: string, files?: FileOperations) =>
  openVault(unitDependencies(home, { passphrase, ...(files && { files }) }));

/** The refresh token in each of the two files. */
async function tokensOnDisk(home: string) {
  const current = refreshTokenIn((await open(home)).read());
  await using aside = await temporaryHome();
  await writeFile(join(aside.home, 'vault'), await readFile(join(home, 'vault.previous')));
  return { current, previous: refreshTokenIn((await open(aside.home)).read()) };
}

const kinds = [
  { name: 'an update', options: {}, calls: 9 },
  { name: 'an update of both generations', options: { bothGenerations: true }, calls: 11 },
] as const;

describe('writing a vault', () => {
  it('keeps the generation before, both readable by the owner alone', async () => {
    await using at = await temporaryHome();
    const vault = await open(at.home);
    await vault.update(withSession('first'));
    await vault.update(withSession('second'));
    expect(await tokensOnDisk(at.home)).toEqual({ current: 'second', previous: 'first' });
    for (const name of await readdir(at.home)) {
      expect(modeOf(join(at.home, name))).toBe(0o600);
    }
    expect(vault.state()).toMatchObject({ generation: 3 });
  });

  it('of both generations leaves the old content in neither file', async () => {
    await using at = await temporaryHome();
    const vault = await open(at.home);
    await vault.update(withSession('old'));
    await vault.update(withSession('old'));
    await vault.update((content) => ({ ...content, sessions: {} }), { bothGenerations: true });
    expect(await tokensOnDisk(at.home)).toEqual({ current: null, previous: null });
    const [current, previous] = await Promise.all(
      ['vault', 'vault.previous'].map((name) => readFile(join(at.home, name))),
    );
    expect(current).not.toEqual(previous); // a nonce each
  });

  it('does one update at a time, in order, each on the content of the one before', async () => {
    await using at = await temporaryHome();
    const vault = await open(at.home);
    const add = (text: string) =>
      vault.update((content) => withSession(`${refreshTokenIn(content) ?? ''}${text}`)(content));
    await Promise.all([...'abcdefgh'].map(add));
    expect(refreshTokenIn(vault.read())).toBe('abcdefgh');
    expect(refreshTokenIn((await open(at.home)).read())).toBe('abcdefgh');
  });

  it('goes on after an update that throws, which changes nothing', async () => {
    await using at = await temporaryHome();
    const vault = await open(at.home);
    const failing = vault.update(() => {
      throw new Error('no');
    });
    const next = vault.update(withSession('next'));
    await expect(failing).rejects.toThrow('no');
    await next;
    expect(vault.state()).toMatchObject({ generation: 2 });
  });

  it('writes nothing where nothing changed', async () => {
    await using at = await temporaryHome();
    const vault = await open(at.home);
    await vault.update((content) => content);
    expect(vault.state()).toMatchObject({ generation: 1 });
  });

  it.each(kinds)('$name, killed at any step, leaves the old or the new content whole', async (kind) => {
    const seen = new Set<string | null>();
    for (let failAt = 1; failAt <= kind.calls; failAt += 1) {
      await using at = await temporaryHome();
      const before = await open(at.home);
      await before.update(withSession('older'));
      await before.update(withSession('old'));
      const files = new FailingFiles({ failAt, dead: true });
      const dying = await open(at.home, files);
      await expect(dying.update(withSession('new'), kind.options)).rejects.toThrow();
      const after = await open(at.home);
      expect(after.state(), `step ${failAt}`).toMatchObject({ kind: 'open' });
      const token = refreshTokenIn(after.read());
      expect(['old', 'new']).toContain(token);
      seen.add(token);
      await after.update(withSession('next'));
      expect((await readdir(at.home)).sort(), `step ${failAt}`).toEqual(['vault', 'vault.previous']);
      expect(await tokensOnDisk(at.home)).toEqual({ current: 'next', previous: token });
    }
    expect([...seen]).toEqual(['old', 'new']);
    // The table is complete: no step comes after the last one.
    await using at = await temporaryHome();
    const files = new FailingFiles();
    const vault = await open(at.home, files);
    await vault.update(withSession('a'));
    files.restart();
    await vault.update(withSession('b'), kind.options);
    expect(files.done).toHaveLength(kind.calls);
  });

  it.each(kinds)('$name that fails at any step rejects, and memory is as the disk', async (kind) => {
    for (let failAt = 1; failAt <= kind.calls; failAt += 1) {
      await using at = await temporaryHome();
      const before = await open(at.home);
      await before.update(withSession('older'));
      await before.update(withSession('old'));
      const files = new FailingFiles({ failAt, code: 'EIO' });
      const vault = await open(at.home, files);
      const outcome = await vault
        .update(withSession('new'), kind.options)
        .then(() => null)
        .catch((error: unknown) => error);
      if (outcome !== null) {
        expect(outcome).toMatchObject({ code: 'vault.io', hint: expect.stringContaining(at.home) });
      }
      const inMemory = refreshTokenIn(vault.read());
      if (!('bothGenerations' in kind.options)) {
        expect(inMemory, `step ${failAt}`).toBe(outcome === null ? 'new' : 'old');
      }
      expect(refreshTokenIn((await open(at.home)).read()), `step ${failAt}`).toBe(inMemory);
      await vault.update(withSession('next'));
      expect((await tokensOnDisk(at.home)).current).toBe('next');
    }
  });

  it.each([
    ['ENOSPC', 'vault.diskFull'],
    ['EDQUOT', 'vault.diskFull'],
    ['EROFS', 'vault.readOnly'],
    ['EACCES', 'vault.notPermitted'],
    ['EIO', 'vault.io'],
    ['EWHATEVER', 'vault.writeFailed'],
  ])('%s while it is written is told as %s, and nothing is overwritten', async (code, told) => {
    await using at = await temporaryHome();
    const before = await open(at.home);
    await before.update(withSession('old'));
    const bytes = await readFile(join(at.home, 'vault'));
    for (const options of [{}, { bothGenerations: true }]) {
      const vault = await open(at.home, new FailingFiles({ failAt: 2, code }));
      await expect(vault.update(withSession('new'), options)).rejects.toMatchObject({
        name: 'BrokerError',
        code: told,
        reason: 'internal',
        hint: expect.stringContaining(at.home),
      });
      expect(refreshTokenIn(vault.read())).toBe('old');
      expect(await readFile(join(at.home, 'vault'))).toEqual(bytes);
      expect((await readdir(at.home)).sort()).toEqual(['vault', 'vault.previous']);
    }
  });
});
