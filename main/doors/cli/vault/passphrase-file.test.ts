import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, test, vi } from 'vitest';
import { onWindows } from '../../../../test/support/system.ts';
import { folderForTest } from '../../../../test/support/temporary-folder.ts';
import { readPassphraseFile } from './passphrase-file.ts';

let folder: string;
beforeEach(() => {
  folder = folderForTest();
});

test('reads the first line of a file of its owner alone', async () => {
  const file = join(folder, 'file');
  await writeFile(file, 'open sesame\nmore\n', { mode: 0o600 });
  expect((await readPassphraseFile(file, 'file')).reveal()).toBe('open sesame');
});

test.skipIf(onWindows).each([
  ['the group', 0o640],
  ['everyone else', 0o604],
])('takes none that %s can read', async (_, mode) => {
  const file = join(folder, 'file');
  await writeFile(file, 'open sesame\n');
  await chmod(file, mode);
  await expect(readPassphraseFile(file, 'file')).rejects.toMatchObject({ code: 'passphraseFile.mode' });
});

test.each([true, false])('where there are no modes an access list counts: open %s', async (isOpen) => {
  const file = join(folder, 'file');
  await writeFile(file, 'open sesame\r\n', { mode: 0o666 });
  vi.stubGlobal('process', { ...process, getuid: undefined, platform: 'win32' });
  const read = readPassphraseFile(file, 'file', { isOpen: () => isOpen, close: () => undefined }).then(
    (secret) => secret.reveal(),
    ({ code }: { code: string }) => code,
  );
  expect(await read.finally(() => vi.unstubAllGlobals())).toBe(
    isOpen ? 'passphraseFile.mode' : 'open sesame',
  );
});
