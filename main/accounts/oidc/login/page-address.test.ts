import { expect, test } from 'vitest';
import { pageAddress } from './page-address.ts';

test.each<[string, boolean, string | null]>([
  ['https://id.example.com/device', false, 'https://id.example.com/device'],
  ['https://id.example.com/device', true, 'https://id.example.com/device'],
  ['https://ID.example.com:443/a b', false, 'https://id.example.com/a%20b'],
  ['http://127.0.0.1:8080/device', true, 'http://127.0.0.1:8080/device'],
  ['http://127.0.0.1:8080/device', false, null],
  ['http://id.example.com/device', true, null],
  ['https://id.example.com@evil.example/device', false, null],
  ['javascript:alert(1)', true, null],
  ['file:///etc/passwd', true, null],
  ['ssh://id.example.com', false, null],
  ['/device', false, null],
  ['', false, null],
  [`https://id.example.com/${'x'.repeat(3000)}`, false, null],
])('the page %j (loopback issuer: %s) is opened as %j', (text, loopback, opened) => {
  expect(pageAddress(text, loopback)).toBe(opened);
});
