import { expect, it } from 'vitest';
import { isBatchFile, isOnAShare, isWholeOnWindows, isWindowsProgram } from './windows-program.ts';

it.each<[path: string, isProgram: boolean, isBatch: boolean]>([
  ['C:\\a.exe', true, false],
  ['C:\\a.COM', true, false],
  ['C:\\a.cmd', true, true],
  ['C:\\a.exe.Bat', true, true],
  ['C:\\a.ps1', false, false],
  ['C:\\a.cmd.', false, false],
  ['C:\\a.cmd ', false, false],
  ['C:\\cmd', false, false],
])('%j is run: %s, by cmd.exe: %s', (path, isProgram, isBatch) => {
  expect([isWindowsProgram(path), isBatchFile(path)]).toEqual([isProgram, isBatch]);
});

it.each<[path: string, isWhole: boolean]>([
  ['C:\\a\\b.exe', true],
  ['c:/a/b.exe', true],
  ['\\\\host\\share\\b.exe', true],
  ['C:\\Program Files (x86)\\a&b.cmd', true],
  ['b.exe', false],
  ['C:b.exe', false],
  ['\\b.exe', false],
  ['/bin/sh', false],
  ['\\\\?\\C:\\b.exe', false],
  ['\\\\.\\pipe\\b.exe', false],
  ['C:\\a.txt:b.exe', false],
  ['C:\\a"b.exe', false],
  ['C:\\a\nb.exe', false],
  ['', false],
])('%j is whole: %s', (path, isWhole) => {
  expect(isWholeOnWindows(path)).toBe(isWhole);
});

it('a share is told by its beginning', () => {
  expect(['\\\\host\\a', '//host/a', 'C:\\a', '\\a', 'a'].map(isOnAShare)).toEqual([
    true,
    true,
    false,
    false,
    false,
  ]);
});
