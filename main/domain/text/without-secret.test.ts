import { expect, test } from 'vitest';
import { withoutSecret } from './without-secret.ts';

const secret = 'eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJhcHAifQ.0123456789abcdef';

test.each([
  ['the whole', `"token":"${secret}"}`, '"token":"…"}'],
  ['its beginning', `cut: ${secret.slice(0, 30)}`, 'cut: …'],
  ['its end', `${secret.slice(-20)} was cut`, '… was cut'],
  ['twice', `${secret}, ${secret}`, '…, …'],
  ['too little of it', `${secret.slice(0, 15)} is no token`, `${secret.slice(0, 15)} is no token`],
  ['nothing', 'denied', 'denied'],
  ['an empty text', '', ''],
])('%s', (_what, text, shown) => {
  expect(withoutSecret(text, secret)).toBe(shown);
});

test('an empty secret is in no text', () => {
  expect(withoutSecret('a text that is long enough', '')).toBe('a text that is long enough');
});
