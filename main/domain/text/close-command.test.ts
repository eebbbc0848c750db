import { expect, test } from 'vitest';
import { closeCommand } from './close-command.ts';

test('what closes a path to others is a command of the user’s system', () => {
  expect(closeCommand('/h o', 'folder', { platform: 'linux' })).toBe("chmod 700 '/h o'");
  expect(closeCommand('/h', 'file', { platform: 'darwin' })).toBe('chmod 600 /h');
  expect(closeCommand('C:\\h o', 'folder', { platform: 'win32', user: 'ann' })).toBe(
    'icacls "C:\\h o" /inheritance:r /grant:r "ann:(OI)(CI)F"',
  );
  expect(closeCommand('C:\\h', 'file', { platform: 'win32', user: 'ann' })).toBe(
    'icacls C:\\h /inheritance:r /grant:r "ann:F"',
  );
});
