import { existsSync, readdirSync, readFileSync, renameSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { folderForTest } from '../../test/support/temporary-folder.ts';
import { placeProgram, removeAside } from './place-program.ts';

let folder: string;
let path: string;

beforeEach(() => {
  folder = folderForTest();
  path = join(folder, 'lanyard.exe');
});

const refused = () => Object.assign(new Error('it is open'), { code: 'EPERM' });

/** Windows with these programs running: they can be neither replaced nor removed, only renamed. */
function windowsWhere(running: Set<string>) {
  return {
    platform: 'win32',
    files: {
      rename: async (from: string, to: string) => {
        if (running.has(to)) {
          throw refused();
        }
        renameSync(from, to);
        if (running.delete(from)) {
          running.add(to);
        }
      },
      unlink: async (each: string) => {
        if (running.has(each)) {
          throw refused();
        }
        unlinkSync(each);
      },
    },
  };
}

test('on Windows a running program goes beside the new one', async () => {
  writeFileSync(path, 'old');
  await placeProgram(Buffer.from('new'), path, windowsWhere(new Set([path])));
  const names = readdirSync(folder).sort();
  expect(names).toEqual(['lanyard.exe', expect.stringMatching(/^lanyard\.exe\.old-[0-9a-f]{8}$/)]);
  expect(names.map((name) => readFileSync(join(folder, name), 'utf8'))).toEqual(['new', 'old']);
});

test('what was put aside is removed once it runs no more, and nothing else is', async () => {
  writeFileSync(join(folder, 'lanyard.exe.old-0a1b2c3d'), 'old');
  writeFileSync(join(folder, 'lanyard.exe.old-mine'), 'theirs');
  writeFileSync(path, 'new');
  expect(await removeAside(folder)).toEqual([]);
  expect(readdirSync(folder).sort()).toEqual(['lanyard.exe', 'lanyard.exe.old-mine']);
});

test('a program that no one runs is replaced in one step', async () => {
  writeFileSync(path, 'old');
  await placeProgram(Buffer.from('new'), path, windowsWhere(new Set()));
  expect(readdirSync(folder)).toEqual(['lanyard.exe']);
  expect(readFileSync(path, 'utf8')).toBe('new');
});

test('one that can’t even be renamed stays in its place', async () => {
  writeFileSync(path, 'old');
  const rename = async () => {
    throw refused();
  };
  const { files } = windowsWhere(new Set());
  await expect(
    placeProgram(Buffer.from('new'), path, { platform: 'win32', files: { ...files, rename } }),
  ).rejects.toMatchObject({ code: 'EPERM' });
  expect([readFileSync(path, 'utf8'), readdirSync(folder)]).toEqual(['old', ['lanyard.exe']]);
});

test('where the new one can’t take the place, the old one gets it back', async () => {
  writeFileSync(path, 'old');
  const windows = windowsWhere(new Set([path]));
  let tries = 0;
  const rename = async (from: string, to: string) => {
    if (from.endsWith('.new') && ++tries > 1) {
      throw Object.assign(new Error('the antivirus has it'), { code: 'EACCES' });
    }
    return windows.files.rename(from, to);
  };
  await expect(
    placeProgram(Buffer.from('new'), path, { ...windows, files: { ...windows.files, rename } }),
  ).rejects.toMatchObject({ code: 'EACCES' });
  expect([readFileSync(path, 'utf8'), existsSync(`${path}.new`)]).toEqual(['old', false]);
});
