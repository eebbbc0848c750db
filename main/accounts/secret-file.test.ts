import { chmod, rename, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { asOn } from '../../test/support/as-on-windows.ts';
import { onWindows, withoutLinks } from '../../test/support/system.ts';
import { temporaryFolder } from '../../test/support/temporary-folder.ts';
import { createSecretFileReader, secretFileLimitBytes } from './secret-file.ts';

const folder = temporaryFolder();

async function read(path: string, reader = createSecretFileReader()): Promise<string> {
  const found = await reader.read(path);
  return found.ok ? found.text.reveal() : found.problem;
}

test('reads a file again only when it changed', async () => {
  const path = join(folder(), 'token');
  const reader = createSecretFileReader();
  await writeFile(path, 'one');
  const first = await reader.read(path);
  expect(await reader.read(path)).toBe(first);
  await writeFile(path, 'two');
  await utimes(path, 1, 1);
  expect(await read(path, reader)).toBe('two');
});

test('sees a file that took its place', async () => {
  const reader = createSecretFileReader();
  const path = join(folder(), 'token');
  await writeFile(path, 'one');
  expect(await read(path, reader)).toBe('one');
  await writeFile(join(folder(), 'next'), 'two');
  await rename(join(folder(), 'next'), path);
  expect(await read(path, reader)).toBe('two');
});

test.skipIf(withoutLinks)('sees a file that took its place through a link', async () => {
  const reader = createSecretFileReader();
  const path = join(folder(), 'token');
  await writeFile(join(folder(), 'a'), 'one');
  await writeFile(join(folder(), 'b'), 'two');
  await symlink('a', path);
  expect(await read(path, reader)).toBe('one');
  await symlink('b', join(folder(), 'next'));
  await rename(join(folder(), 'next'), path);
  expect(await read(path, reader)).toBe('two');
});

test('a file that is gone is missing, not the last one read', async () => {
  const path = join(folder(), 'token');
  const reader = createSecretFileReader();
  await writeFile(path, 'one');
  await read(path, reader);
  await rm(path);
  expect(await read(path, reader)).toBe('missing');
});

test('what is no readable text file is told apart', async () => {
  const path = (name: string) => join(folder(), name);
  await writeFile(path('large'), 'x'.repeat(secretFileLimitBytes + 1));
  await writeFile(path('limit'), 'x'.repeat(secretFileLimitBytes));
  await writeFile(path('binary'), Buffer.from([0x61, 0xff, 0xfe]));
  expect(await read(path('large'))).toBe('tooLarge');
  expect(await read(path('limit'))).toHaveLength(secretFileLimitBytes);
  expect(await read(path('binary'))).toBe('notUtf8');
  expect(await read(folder())).toBe('notAFile');
  expect(await read(path('none'))).toBe('missing');
});

test.skipIf(onWindows)('a device is no file', async () => {
  expect(await read('/dev/zero')).toBe('notAFile');
});

test.skipIf(onWindows)('says whether others may read it', async () => {
  const path = join(folder(), 'token');
  await writeFile(path, 'one');
  const reader = createSecretFileReader();
  await chmod(path, 0o600);
  expect(await reader.read(path)).toMatchObject({ readByOthers: false });
  await chmod(path, 0o640);
  expect(await reader.read(path)).toMatchObject({ readByOthers: true });
});

test.each([true, false])('on Windows an access list says who else reads it: %s', async (isOpen) => {
  const path = join(folder(), 'token');
  await writeFile(path, 'secret', { mode: 0o666 });
  asOn('win32');
  const access = { isOpen: (each: string) => isOpen && each === path, close: () => undefined };
  expect(await createSecretFileReader(access).read(path)).toMatchObject({ ok: true, readByOthers: isOpen });
});
