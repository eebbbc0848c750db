import { describe, expect, it } from 'vitest';
import { candidates, type standsAt } from './find-program.ts';
import { locateProgram } from './locate-program.ts';

type Stands = Awaited<ReturnType<typeof standsAt>>;

/** Finds a command on a Windows machine that has these files, and nothing else. */
async function onWindows(command: string, files: Record<string, Stands>, searchPath = 'C:\\a;C:\\b') {
  const looked: string[] = [];
  const located = await locateProgram(command, searchPath, {
    platform: 'win32',
    lookAt: async (path) => {
      looked.push(path);
      return files[path] ?? 'missing';
    },
  });
  return { located, looked };
}

describe('on Windows', () => {
  it('a name is looked for as Go does: folder by folder, with its own extension first', () => {
    expect(candidates('aws', 'C:\\a;rel;C:\\b c', 'win32')).toEqual([
      'C:\\a\\aws.com',
      'C:\\a\\aws.exe',
      'C:\\a\\aws.bat',
      'C:\\a\\aws.cmd',
      'C:\\b c\\aws.com',
      'C:\\b c\\aws.exe',
      'C:\\b c\\aws.bat',
      'C:\\b c\\aws.cmd',
    ]);
    expect(candidates('gke.v1', 'C:\\a', 'win32').slice(0, 2)).toEqual([
      'C:\\a\\gke.v1',
      'C:\\a\\gke.v1.com',
    ]);
    expect(candidates('aws.cmd', 'C:\\a', 'win32')[0]).toBe('C:\\a\\aws.cmd');
  });

  it.each<[what: string, command: string, files: Record<string, Stands>, found: object]>([
    [
      '.exe before .cmd',
      'aws',
      { 'C:\\a\\aws.cmd': 'program', 'C:\\a\\aws.exe': 'program' },
      program('C:\\a\\aws.exe'),
    ],
    [
      'the first folder before a better extension',
      'aws',
      { 'C:\\a\\aws.cmd': 'program', 'C:\\b\\aws.exe': 'program' },
      program('C:\\a\\aws.cmd'),
    ],
    ['its own extension', 'aws.cmd', { 'C:\\b\\aws.cmd': 'program' }, program('C:\\b\\aws.cmd')],
    ['no file without an extension', 'aws', { 'C:\\a\\aws': 'program' }, { kind: 'missing', path: null }],
    [
      'a script stops the search, as for Go',
      'aws.ps1',
      { 'C:\\a\\aws.ps1': 'program', 'C:\\b\\aws.ps1.exe': 'program' },
      { kind: 'otherKind', path: 'C:\\a\\aws.ps1' },
    ],
    [
      'a folder doesn’t',
      'x.y',
      { 'C:\\a\\x.y': 'folder', 'C:\\b\\x.y.exe': 'program' },
      program('C:\\b\\x.y.exe'),
    ],
    ['a whole path', 'D:\\t\\x.EXE', { 'D:\\t\\x.EXE': 'program' }, program('D:\\t\\x.EXE')],
    [
      'a whole path gets no extension',
      'D:\\t\\x',
      { 'D:\\t\\x.exe': 'program' },
      { kind: 'missing', path: null },
    ],
    [
      'a whole path to a script',
      'D:\\x.vbs',
      { 'D:\\x.vbs': 'program' },
      { kind: 'otherKind', path: 'D:\\x.vbs' },
    ],
  ])('%s', async (_, command, files, found) => {
    expect((await onWindows(command, files)).located).toEqual(found);
  });

  it.each(['\\\\host\\share\\x.exe', '//host/share/x.exe', '\\\\?\\C:\\x.exe'])(
    '%s is not even looked at: that alone would log in there',
    async (command) => {
      const { located, looked } = await onWindows(command, { [command]: 'program' });
      expect(located).toEqual({ kind: 'elsewhere', path: command });
      expect(looked).toEqual([]);
    },
  );

  it.each([
    '\\x.exe',
    'C:x.exe',
    '.\\x.exe',
    'a\\x.exe',
    'a/x.exe',
    '..',
    'C:\\a.txt:x.exe',
    '/bin/x.exe',
    '',
  ])('%j depends on where it is run, or is no file: nothing is there', async (command) => {
    const { located, looked } = await onWindows(command, { [command]: 'program' });
    expect(located).toEqual({ kind: 'missing', path: null });
    expect(looked).toEqual([]);
  });

  it('a library needs no such name', async () => {
    const options = {
      platform: 'win32',
      isLibrary: true,
      lookAt: async (): Promise<Stands> => 'program',
    } as const;
    expect(await locateProgram('C:\\p11.dll', '', options)).toEqual(program('C:\\p11.dll'));
  });
});

function program(path: string) {
  return { kind: 'program', path };
}
