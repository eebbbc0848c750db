import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { folderForTest } from '../../../test/support/temporary-folder.ts';
import { createProgramInspections } from './program-inspections.ts';

/** Windows runs only files of such a name. */
const file = process.platform === 'win32' ? 'plugin.exe' : 'plugin';
let folder: string;
beforeEach(async () => {
  folder = folderForTest();
  await writeFile(join(folder, file), '#!/bin/sh\n', { mode: 0o755 });
});

test('a command in a search path is inspected once; what was not inspected isn’t known', async () => {
  const looks = createProgramInspections();
  const here = { command: 'plugin', searchPath: folder };
  await looks.inspect([here, { command: 'plugin', searchPath: '/usr/bin' }, here]);
  const first = looks.of('plugin', folder);
  expect(first).toMatchObject({ kind: 'program', path: join(folder, file) });
  expect(looks.of('plugin', '/usr/bin')).toEqual({ kind: 'missing', path: null });
  await rm(join(folder, file));
  await looks.inspect([here]);
  expect(looks.of('plugin', folder)).toBe(first);
  expect(looks.of('plugin', '/bin')).toBeNull();
  expect(looks.of('other', folder)).toBeNull();
});

test('a whole path is the same in each search path', async () => {
  const looks = createProgramInspections();
  const command = join(folder, file);
  await looks.inspect([{ command, searchPath: null }]);
  expect(looks.of(command, '/usr/bin')).toMatchObject({ kind: 'program', path: command });
});
