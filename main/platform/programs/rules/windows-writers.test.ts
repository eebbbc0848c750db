import { expect, it } from 'vitest';
import { windowsWriters } from './windows-writers.ts';

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
