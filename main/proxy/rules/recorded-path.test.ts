import { expect, test } from 'vitest';
import { recordedPath } from './recorded-path.ts';

test.each([
  ['/api/v1/namespaces/default/pods', '/api/v1/namespaces/default/pods'],
  ['/api/v1/pods?token=canary', '/api/v1/pods'],
  [
    '/api/v1/namespaces/a/services/https:b:443/proxy/reset/canary',
    '/api/v1/namespaces/a/services/https:b:443/proxy/…',
  ],
  ['/api/v1/namespaces/a/pods/b/proxy/', '/api/v1/namespaces/a/pods/b/proxy/'],
  ['/api/v1/nodes/n1/proxy/canary/x', '/api/v1/nodes/n1/proxy/…'],
  ['/api/v1/namespaces/proxy/pods/b/log', '/api/v1/namespaces/proxy/pods/b/log'],
  ['/a\u001b[2J\u202eb', '/a\\u{1b}[2J\\u{202e}b'],
])('%s', (path, expected) => {
  expect(recordedPath(path)).toBe(expected);
});

test('a long one is cut', () => {
  expect(recordedPath(`/${'\u202e'.repeat(400)}`)).toHaveLength(513);
  expect(recordedPath(`/${'a'.repeat(100_000)}`)).toHaveLength(513);
});
