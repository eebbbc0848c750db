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
      ...['com', 'exe', 'bat', 'cmd'].map((extension) => `C:\\a\\aws.${extension}`),
      ...['com', 'exe', 'bat', 'cmd'].map((extension) => `C:\\b c\\aws.${extension}`),
    ]);
    const own = candidates('gke.v1', 'C:\\a', 'win32').slice(0, 2);
    expect(own).toEqual(['C:\\a\\gke.v1', 'C:\\a\\gke.v1.com']);
    expect(candidates('aws.cmd', 'C:\\a', 'win32')[0]).toBe('C:\\a\\aws.cmd');
  });

  const missing = { kind: 'missing', path: null };
  const script = (path: string) => ({ kind: 'otherKind', path });
  it.each<[what: string, command: string, programs: string[], found: object]>([
    ['.exe before .cmd', 'aws', ['C:\\a\\aws.cmd', 'C:\\a\\aws.exe'], program('C:\\a\\aws.exe')],
    [
      'the first folder before a better extension',
      'aws',
      ['C:\\a\\aws.cmd', 'C:\\b\\aws.exe'],
      program('C:\\a\\aws.cmd'),
    ],
    ['its own extension', 'aws.cmd', ['C:\\b\\aws.cmd'], program('C:\\b\\aws.cmd')],
    ['no file without an extension', 'aws', ['C:\\a\\aws'], missing],
    [
      'a script stops the search, as for Go',
      'aws.ps1',
      ['C:\\a\\aws.ps1', 'C:\\b\\aws.ps1.exe'],
      script('C:\\a\\aws.ps1'),
    ],
    ['a whole path', 'D:\\t\\x.EXE', ['D:\\t\\x.EXE'], program('D:\\t\\x.EXE')],
    ['a whole path gets no extension', 'D:\\t\\x', ['D:\\t\\x.exe'], missing],
    ['a whole path to a script', 'D:\\x.vbs', ['D:\\x.vbs'], script('D:\\x.vbs')],
  ])('%s', async (_, command, programs, found) => {
    const files = Object.fromEntries(programs.map((path): [string, Stands] => [path, 'program']));
    expect((await onWindows(command, files)).located).toEqual(found);
  });

  it('a folder stops no search', async () => {
    const files = { 'C:\\a\\x.y': 'folder', 'C:\\b\\x.y.exe': 'program' } as const;
    expect((await onWindows('x.y', files)).located).toEqual(program('C:\\b\\x.y.exe'));
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
    ...['\\x.exe', 'C:x.exe', '.\\x.exe', 'a\\x.exe', 'a/x.exe', '..', 'C:\\a.txt:x.exe', '/bin/x.exe', ''],
  ])('%j depends on where it is run, or is no file: nothing is there', async (command) => {
    const { located, looked } = await onWindows(command, { [command]: 'program' });
    expect(located).toEqual(missing);
    expect(looked).toEqual([]);
  });

  it('a library needs no such name', async () => {
    const lookAt = async (): Promise<Stands> => 'program';
    const options = { platform: 'win32', isLibrary: true, lookAt } as const;
    expect(await locateProgram('C:\\p11.dll', '', options)).toEqual(program('C:\\p11.dll'));
  });
});

function program(path: string) {
  return { kind: 'program', path };
}
