import { expect, test } from 'vitest';
import { isEncryptedKey, splitPem } from './split-pem.ts';

const pem = (label: string, body = 'AAAA') => `-----BEGIN ${label}-----\n${body}\n-----END ${label}-----\n`;

test('takes certificates in their order and the key out of a combined file', () => {
  const text = pem('CERTIFICATE', 'leaf') + pem('PRIVATE KEY', 'key') + pem('CERTIFICATE', 'issuer');
  expect(splitPem(text)).toEqual({
    certificates: [pem('CERTIFICATE', 'leaf'), pem('CERTIFICATE', 'issuer')],
    key: pem('PRIVATE KEY', 'key'),
  });
});

test('drops what stands around the blocks, and blocks of other kinds', () => {
  const text = `Bag Attributes\n  friendlyName: x\n${pem('EC PARAMETERS')}# note\n${pem('EC PRIVATE KEY', 'key')}trailing`;
  expect(splitPem(text)).toEqual({ certificates: [], key: pem('EC PRIVATE KEY', 'key') });
});

test('evens out line ends and indentation', () => {
  const text = '  -----BEGIN CERTIFICATE-----\r\n  AAAA\r\n  BBBB\r\n  -----END CERTIFICATE-----\r\n';
  expect(splitPem(text).certificates).toEqual([pem('CERTIFICATE', 'AAAA\nBBBB')]);
});

test('a block that never ends is not taken', () => {
  expect(splitPem('-----BEGIN PRIVATE KEY-----\nAAAA\n-----END CERTIFICATE-----\n')).toEqual({
    certificates: [],
    key: null,
  });
});

// Quadratic, it would take hours: the runner's own limit is what fails.
test('many blocks that never end cost no more than their length', { timeout: 10_000 }, () => {
  expect(splitPem('-----BEGIN A-----\n'.repeat(1_000_000)).key).toBeNull();
});

test.each([
  [pem('ENCRYPTED PRIVATE KEY'), true],
  [pem('RSA PRIVATE KEY', 'Proc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,00\n\nAAAA'), true],
  [pem('PRIVATE KEY'), false],
])('knows an encrypted key by its block', (text, encrypted) => {
  const { key } = splitPem(text);
  expect(isEncryptedKey(key ?? '')).toBe(encrypted);
});
