import { readdirSync } from 'node:fs';
import { chmod, lstat, mkdir, readFile, readlink, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { removeFiles } from '../../test/support/installed-files.ts';
import { onWindows, withoutLinks, withoutModes } from '../../test/support/system.ts';
import { folderForTest } from '../../test/support/temporary-folder.ts';
import { createLedger, type Ledger } from './ledger.ts';
import { place, wouldPlace } from './place.ts';
import { inOrder, planRemoval, removeEntry } from './remove-entry.ts';

let folder: string;
let ledger: Ledger;
const now = () => 7;

beforeEach(() => {
  folder = folderForTest();
  ledger = createLedger({ file: join(folder, 'installed.json'), alone: (work) => work() });
});

const at = (...names: string[]) => join(folder, ...names);
const file = (path: string, text = 'ours\n') => ({ kind: 'file', path, content: Buffer.from(text) }) as const;
const link = (path: string, target = '/ours') => ({ kind: 'link', path, target }) as const;

/** By the path below the folder, written with `/`. */
const takeAllBack = async () =>
  Object.fromEntries(
    Object.entries(await removeFiles(folder, ledger)).map(([path, what]) => [
      path.replaceAll(sep, '/'),
      what,
    ]),
  );

/** Everything below the folder but the list itself. */
const tree = () =>
  readdirSync(folder, { recursive: true })
    .map((name) => name.toString().replaceAll(sep, '/'))
    .filter((name) => name !== 'installed.json')
    .sort();

describe('what is made', () => {
  test.skipIf(withoutLinks)(
    'is on the list, for its owner alone, and is removed with the folders that were made for it (rule: reversible-edits)',
    async () => {
      await mkdir(at('there'));
      expect(await place(link(at('there', 'bin', 'lanyard')), { ledger, now })).toEqual({ kind: 'made' });
      expect(await place(file(at('new', 'deep', 'page')), { ledger, now })).toEqual({ kind: 'made' });
      expect(await readlink(at('there', 'bin', 'lanyard'))).toBe('/ours');
      expect(await readFile(at('new', 'deep', 'page'), 'utf8')).toBe('ours\n');
      expect((await stat(at('installed.json'))).mode & 0o777).toBe(0o600);
      expect((await ledger.entries()).map(({ kind, path, at: when }) => [kind, path, when])).toEqual([
        ['folder', at('there', 'bin'), 7],
        ['link', at('there', 'bin', 'lanyard'), 7],
        ['folder', at('new'), 7],
        ['folder', at('new', 'deep'), 7],
        ['file', at('new', 'deep', 'page'), 7],
      ]);
      await takeAllBack();
      expect(tree()).toEqual(['there']);
      expect(await ledger.entries()).toEqual([]);
    },
  );

  test.skipIf(onWindows)('is whole and readable whatever the umask is', async () => {
    const before = process.umask(0o077);
    try {
      await place(file(at('page')), { ledger, now });
    } finally {
      process.umask(before);
    }
    expect((await stat(at('page'))).mode & 0o777).toBe(0o644);
  });

  test.skipIf(withoutLinks)(
    'gives way to a newer version, and the newer one is removed as well',
    async () => {
      for (const text of ['one', 'two']) {
        await place(file(at('page'), text), { ledger, now });
        await place(link(at('lanyard'), `/${text}`), { ledger, now });
      }
      expect([await readFile(at('page'), 'utf8'), await readlink(at('lanyard'))]).toEqual(['two', '/two']);
      expect(await place(file(at('page'), 'two'), { ledger, now })).toEqual({ kind: 'present' });
      expect(await takeAllBack()).toEqual({ lanyard: 'removed', page: 'removed' });
      expect(tree()).toEqual([]);
    },
  );
});

describe('what isn’t Lanyard’s is left', () => {
  test.each<[string, (path: string) => Promise<unknown>, RegExp]>([
    ['a file', (path) => writeFile(path, 'theirs'), /a file that Lanyard didn’t make/],
    ['a folder', (path) => mkdir(path), /a folder/],
  ])('%s in the place of a file or a link', (_, put, what) => expectLeft(put, what));

  test.skipIf(withoutLinks).each<[string, (path: string) => Promise<unknown>, RegExp]>([
    ['a link', (path) => symlink('/theirs', path), /a link to \/theirs that Lanyard didn’t make/],
    [
      'a link to an equal file',
      (path) => writeFile(at('equal'), 'ours\n').then(() => symlink(at('equal'), path)),
      /link/,
    ],
  ])('%s in the place of a file or a link', (_, put, what) => expectLeft(put, what));

  async function expectLeft(put: (path: string) => Promise<unknown>, what: RegExp): Promise<void> {
    await put(at('taken'));
    const before = await lstat(at('taken'));
    for (const wanted of [file(at('taken')), link(at('taken'))]) {
      const left = { kind: 'left', what: expect.stringMatching(what) };
      expect(await wouldPlace(wanted, ledger)).toEqual(left);
      expect(await place(wanted, { ledger, now })).toEqual(left);
    }
    expect((await lstat(at('taken'))).ino).toBe(before.ino);
    expect(await ledger.entries()).toEqual([]);
  }

  test('an equal file that someone else made stays theirs', async () => {
    await writeFile(at('page'), 'ours\n');
    expect(await place(file(at('page')), { ledger, now })).toEqual({ kind: 'present' });
    expect(await takeAllBack()).toEqual({});
    expect(tree()).toEqual(['page']);
  });

  test.each<[string, () => Promise<unknown>]>([
    ['edited', () => writeFile(at('new', 'page'), 'ours, and a line of mine\n')],
    ['replaced by a folder', () => rm(at('new', 'page')).then(() => mkdir(at('new', 'page')))],
  ])(
    'a file that was %s since: it is left, named, neither replaced nor removed, and named again',
    (_, change) => expectKept(change),
  );

  test.skipIf(withoutLinks)('a file that was replaced by a link since is left in the same way', () =>
    expectKept(() => rm(at('new', 'page')).then(() => symlink('/elsewhere', at('new', 'page')))),
  );

  async function expectKept(change: () => Promise<unknown>): Promise<void> {
    await place(file(at('new', 'page')), { ledger, now });
    await change();
    const before = (await lstat(at('new', 'page'))).ino;
    expect(await place(file(at('new', 'page'), 'newer'), { ledger, now })).toMatchObject({ kind: 'left' });
    for (let round = 0; round < 2; round += 1) {
      expect(await takeAllBack()).toMatchObject({ 'new/page': 'left' });
      expect((await lstat(at('new', 'page'))).ino).toBe(before);
    }
  }

  test.skipIf(withoutLinks)('a link that leads elsewhere by now', async () => {
    await place(link(at('lanyard')), { ledger, now });
    await rm(at('lanyard'));
    await symlink('/elsewhere', at('lanyard'));
    expect(await takeAllBack()).toEqual({ lanyard: 'left' });
    expect(await readlink(at('lanyard'))).toBe('/elsewhere');
  });

  test('a folder that others have put something into', async () => {
    await place(file(at('new', 'page')), { ledger, now });
    await writeFile(at('new', 'theirs'), '');
    expect(await takeAllBack()).toEqual({ 'new/page': 'removed', new: 'kept' });
    expect(tree()).toEqual(['new', 'new/theirs']);
    expect(await ledger.entries()).toEqual([]);
  });
});

test('a folder that still has things of Lanyard’s stays on the list', async () => {
  await place(file(at('new', 'one', 'page')), { ledger, now });
  await place(file(at('new', 'two', 'page')), { ledger, now });
  for (const entry of inOrder(await ledger.entries()).filter(({ path }) => !path.includes('two'))) {
    await removeEntry(entry, ledger);
  }
  expect(tree()).toEqual(['new', 'new/two', 'new/two/page']);
  await takeAllBack();
  expect(tree()).toEqual([]);
});

test('what was removed by hand is gone from the list', async () => {
  await place(file(at('page')), { ledger, now });
  await rm(at('page'));
  const [entry] = await ledger.entries();
  expect(entry && (await planRemoval(entry))).toEqual({ kind: 'gone' });
  expect(await takeAllBack()).toEqual({ page: 'gone' });
  expect(await ledger.entries()).toEqual([]);
});

test.each(['{"version":2,"entries":[]}', 'not JSON', '{"version":1,"entries":[{"kind":"file"}]}'])(
  'a list that can’t be read (%s) is kept, and nothing is made that it doesn’t know',
  async (text) => {
    await writeFile(at('installed.json'), text);
    await expect(place(file(at('page')), { ledger, now })).rejects.toMatchObject({
      code: 'installed.unreadable',
    });
    expect(tree()).toEqual([]);
    expect(await readFile(at('installed.json'), 'utf8')).toBe(text);
  },
);

test.skipIf(withoutModes)('a folder that may not be written into leaves nothing on the list', async () => {
  await mkdir(at('closed'));
  await chmod(at('closed'), 0o500);
  await expect(place(file(at('closed', 'page')), { ledger, now })).rejects.toMatchObject({
    code: 'EACCES',
  });
  expect(await ledger.entries()).toEqual([]);
});
