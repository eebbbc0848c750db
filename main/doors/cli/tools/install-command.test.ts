import { expect, test } from 'vitest';
import { pathAdvice } from './install-command.ts';

test('what a user does for a folder that is not on PATH is what their system has', () => {
  expect(pathAdvice('/b', 'bash', 'linux').join('\n')).toContain('export PATH=/b:"$PATH"');
  const windows = pathAdvice('C:\\b', 'bash', 'win32').join('\n');
  expect(windows).toContain("SetEnvironmentVariable('Path'");
  expect(windows).not.toContain('export');
});
