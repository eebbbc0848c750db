import { expect, test } from 'vitest';
import { lockFilePathFault } from './lock-file-path.ts';

test('an absolute path may name a file', () => {
  expect(lockFilePathFault(`/${'a'.repeat(4_094)}`, 'code')).toBeNull();
});

test.each([
  ['client.lock', 'client.lock, is no absolute path'],
  [`/${'a'.repeat(4_095)}`, 'aaa…, is too long'],
  ['/a\0b', 'has a NUL'],
  ['no\u001b[31mwhere', 'no\\u{1b}[31mwhere, is no absolute path'],
])('%j can’t be the client’s lock file', (path, words) => {
  expect(lockFilePathFault(path, 'proxy.listener.lockPath')).toMatchObject({
    reason: 'usage',
    code: 'proxy.listener.lockPath',
    message: expect.stringContaining(words),
  });
});
