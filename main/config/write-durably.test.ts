import {
  chmodSync,
  chownSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { modeOf, onWindows, withoutLinks } from '../../test/support/system.ts';
import { folderForTest } from '../../test/support/temporary-folder.ts';
import { writeDurably } from './write-durably.ts';

let folder: string;
let file: string;

beforeEach(() => {
  folder = folderForTest();
  file = join(folder, 'file');
});

// A worker thread may not set the umask, and Windows has none.
test.skipIf(onWindows)('a new file gets its mode whatever the umask', async () => {
  const umask = process.umask(0o777);
  try {
    expect(await writeDurably(file, 'x', { mode: 0o640 })).toBe(true);
  } finally {
    process.umask(umask);
  }
  expect([readFileSync(file, 'utf8'), modeOf(file)]).toEqual(['x', 0o640]);
});

test.skipIf(onWindows)('an existing file keeps its mode, or gets the given one', async () => {
  writeFileSync(file, 'old');
  chmodSync(file, 0o644);
  await writeDurably(file, 'new', { mode: 0o600 });
  expect(modeOf(file)).toBe(0o644);
  await writeDurably(file, 'new', { mode: 0o600, keepMode: false });
  expect(modeOf(file)).toBe(0o600);
});

test.runIf(process.getuid?.() === 0)('an existing file keeps its owner and group', async () => {
  writeFileSync(file, 'old');
  chownSync(file, 4242, 4243);
  chmodSync(file, 0o660);
  await writeDurably(file, 'new', { mode: 0o600 });
  const { uid, gid } = statSync(file);
  expect([uid, gid, modeOf(file)]).toEqual([4242, 4243, 0o660]);
});

test('a fixed temporary name is used again, whatever was left there', async () => {
  writeFileSync(join(folder, 'left'), 'half');
  const names: string[][] = [];
  const stillWanted = async () => {
    names.push(readdirSync(folder));
    return true;
  };
  await writeDurably(file, 'new', { mode: 0o600, temporaryName: 'left', stillWanted });
  expect([names, readdirSync(folder), readFileSync(file, 'utf8')]).toEqual([[['left']], ['file'], 'new']);
});

test.skipIf(withoutLinks)('it writes through a chain of links, and they stay', async () => {
  mkdirSync(join(folder, 'dotfiles'));
  const target = join(folder, 'dotfiles', 'real');
  writeFileSync(target, 'old');
  symlinkSync('dotfiles/real', join(folder, 'middle'));
  symlinkSync('middle', file);
  await writeDurably(file, 'new', { mode: 0o600 });
  expect(readlinkSync(file)).toBe('middle');
  expect(readFileSync(target, 'utf8')).toBe('new');
});

test.skipIf(withoutLinks)('it makes what a dangling link leads to', async () => {
  symlinkSync('later', file);
  await writeDurably(file, 'new', { mode: 0o600 });
  expect(readFileSync(join(folder, 'later'), 'utf8')).toBe('new');
});

test.skipIf(withoutLinks)('links in a circle are an error', async () => {
  symlinkSync('file', file);
  await expect(writeDurably(file, 'x', { mode: 0o600 })).rejects.toMatchObject({ code: 'file.write' });
});

test('a file that is replaced was whole at every moment: readers keep the old one', async () => {
  writeFileSync(file, 'old');
  const before = statSync(file).ino;
  await writeDurably(file, 'new', { mode: 0o600 });
  expect(statSync(file).ino).not.toBe(before);
});

test('when it is no longer wanted the old stays, and nothing lies around', async () => {
  writeFileSync(file, 'old');
  expect(await writeDurably(file, 'new', { mode: 0o600, stillWanted: async () => false })).toBe(false);
  expect(readFileSync(file, 'utf8')).toBe('old');
  expect(readdirSync(folder)).toEqual(['file']);
});

test('a failure leaves the old, nothing lies around, and the error says so', async () => {
  mkdirSync(file);
  await expect(writeDurably(file, 'new', { mode: 0o600 })).rejects.toMatchObject({
    code: 'file.write',
    message: expect.stringContaining('it is unchanged'),
  });
  expect(readdirSync(folder)).toEqual(['file']);
  await expect(writeDurably(join(folder, 'no', 'file'), 'x', { mode: 0o600 })).rejects.toMatchObject({
    code: 'file.write',
    hint: 'its folder is not there',
  });
});
