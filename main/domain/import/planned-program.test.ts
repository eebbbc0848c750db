import { expect, test } from 'vitest';
import { plannedProgram } from './planned-program.ts';

test.each([
  ['win32', 'C:\\a;C:\\b;D:\\c;D:\\d', 4],
  ['linux', '/a:/b;c', 2],
] as const)('folders of a search path are counted as on %s', (platform, searchPath, count) => {
  const entry = { execPlugin: { command: 'aws', searchPath } };
  expect(plannedProgram(entry, () => null, platform)?.searchPathFolders).toBe(count);
});
