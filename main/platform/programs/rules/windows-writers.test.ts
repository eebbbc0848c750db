import { expect, it } from 'vitest';
import { isInOpenPlace, windowsWriters } from './windows-writers.ts';

const environment = {
  Programfiles: 'C:\\Program Files',
  'ProgramFiles(x86)': 'C:\\Program Files (x86)',
  SYSTEMROOT: 'C:\\Windows',
  USERPROFILE: 'C:\\Users\\me',
};

it.each<[path: string, isOpen: boolean]>([
  ['C:\\Program Files\\Amazon\\AWSCLIV2\\aws.exe', false],
  ['c:\\PROGRAM files (x86)\\a\\b.cmd', false],
  ['C:\\Windows\\System32\\curl.exe', false],
  ['C:\\Users\\me\\scoop\\shims\\tsh.exe', false],
  ['C:\\Users\\me', true],
  ['C:\\Users\\mean\\a.exe', true],
  ['C:\\Users\\other\\a.exe', true],
  ['C:\\tools\\kubelogin.exe', true],
  ['D:\\Users\\me\\a.exe', true],
  ['\\\\host\\share\\a.exe', true],
])('%s is in an open place: %s', (path, isOpen) => {
  expect(isInOpenPlace(path, environment)).toBe(isOpen);
});

it('without the variables every place is open', () => {
  expect(isInOpenPlace('C:\\Windows\\a.exe', {})).toBe(true);
  expect(isInOpenPlace('C:\\Windows\\a.exe', { SystemRoot: '' })).toBe(true);
});

it('asks for the file and for its folder, each once', () => {
  const asked: string[] = [];
  const writers = windowsWriters(['C:\\a\\b\\x.exe', 'C:\\a\\b\\y.exe'], (path) => {
    asked.push(path);
    return path === 'C:\\a\\b';
  });
  expect(asked).toEqual(['C:\\a\\b\\x.exe', 'C:\\a\\b', 'C:\\a\\b\\y.exe']);
  expect(writers).toEqual([{ path: 'C:\\a\\b', who: 'other users of this computer' }]);
});

it('no one is found only where all of it is told: an attacker’s file may hide its list', () => {
  expect(windowsWriters(['C:\\a\\x.exe'], () => false)).toEqual([]);
  const untold = (path: string) => {
    if (path.endsWith('.exe')) {
      throw new Error('no access list');
    }
    return true;
  };
  expect(windowsWriters(['C:\\a\\x.exe'], untold)).toEqual([
    { path: 'C:\\a\\x.exe', who: 'someone whom Windows doesn’t name' },
    { path: 'C:\\a', who: 'other users of this computer' },
  ]);
});
