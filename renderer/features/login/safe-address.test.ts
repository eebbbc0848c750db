import { expect, it } from 'vitest';
import { hostOf, safeAddress } from './safe-address.ts';

it.each([
  ['https://id.example.com/auth?x=1', 'https://id.example.com/auth?x=1'],
  ['http://127.0.0.1:4711/device', 'http://127.0.0.1:4711/device'],
  ['http://localhost/device', 'http://localhost/device'],
  ['http://[::1]:80/', 'http://[::1]/'],
])('opens %s', (text, written) => {
  expect(safeAddress(text)).toBe(written);
});

it.each([
  'http://id.example.com/',
  'http://127.0.0.1.example.com/',
  'javascript:alert(1)',
  'data:text/html,x',
  'file:///etc/passwd',
  'https://user:word@id.example.com/',
  'id.example.com',
  '',
])('doesn’t open %s', (text) => {
  expect(safeAddress(text)).toBeNull();
});

it('names the host', () => {
  expect(hostOf('https://id.example.com:8443/x')).toBe('id.example.com:8443');
});
