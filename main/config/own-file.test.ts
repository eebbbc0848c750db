import { lstatSync, readdirSync, readFileSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { modeOf, withoutLinks } from '../../test/support/system.ts';
import { folderForTest } from '../../test/support/temporary-folder.ts';
import { readOwnFile, writeOwnFile } from './own-file.ts';

let folder: string;
let file: string;
let elsewhere: string;

beforeEach(() => {
  folder = folderForTest();
  [file, elsewhere] = [join(folder, 'own'), join(folder, 'elsewhere')];
  writeFileSync(elsewhere, 'another file', { mode: 0o644 });
});

test.skipIf(withoutLinks)('a link in its place is replaced, and what it led to stays as it was', async () => {
  symlinkSync(elsewhere, file);
  await writeOwnFile(file, 'ours', { mode: 0o600 });
  expect([lstatSync(file).isFile(), modeOf(file)]).toEqual([true, 0o600]);
  expect([readFileSync(file, 'utf8'), readFileSync(elsewhere, 'utf8')]).toEqual(['ours', 'another file']);
  expect(readdirSync(folder)).toEqual(['elsewhere', 'own']);
});

test('a file in its place doesn’t say the new one’s mode', async () => {
  writeFileSync(file, 'before', { mode: 0o666 });
  await writeOwnFile(file, 'ours', { mode: 0o600 });
  expect(modeOf(file)).toBe(0o600);
});

test.skipIf(withoutLinks)('its folder may be reached by a link', async () => {
  symlinkSync(folder, `${folder}-link`);
  try {
    await writeOwnFile(join(`${folder}-link`, 'own'), 'ours', { mode: 0o600 });
    expect(readFileSync(file, 'utf8')).toBe('ours');
  } finally {
    unlinkSync(`${folder}-link`);
  }
});

test.skipIf(withoutLinks)('nothing is read through a link', async () => {
  symlinkSync(elsewhere, file);
  expect(await readOwnFile(file)).toBeNull();
  expect((await readOwnFile(elsewhere))?.toString()).toBe('another file');
});
