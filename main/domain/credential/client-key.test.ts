import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { Secret } from '../../base/secret.ts';
import { parseClientKey } from './client-key.ts';

const keys: Record<string, KeyObject> = {
  rsa2048: generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey,
  rsa1024: generateKeyPairSync('rsa', { modulusLength: 1024 }).privateKey,
  p256: generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey,
  p384: generateKeyPairSync('ec', { namedCurve: 'P-384' }).privateKey,
  p521: generateKeyPairSync('ec', { namedCurve: 'P-521' }).privateKey,
  secp256k1: generateKeyPairSync('ec', { namedCurve: 'secp256k1' }).privateKey,
  ed25519: generateKeyPairSync('ed25519').privateKey,
  x25519: generateKeyPairSync('x25519').privateKey,
};
const pem = (name: string) => String(keys[name]?.export({ type: 'pkcs8', format: 'pem' }));
const jwk = (name: string, more: object = {}) =>
  JSON.stringify({ ...keys[name]?.export({ format: 'jwk' }), ...more });
const parse = (text: string) => parseClientKey(new Secret(text));

test.each([
  ['rsa2048', 'RS256'],
  ['p256', 'ES256'],
  ['p384', 'ES384'],
  ['p521', 'ES512'],
  ['ed25519', 'EdDSA'],
])('%s is taken as PEM and as JWK, and signs with %s', (name, algorithm) => {
  for (const text of [pem(name), `\n${pem(name)}\n`, jwk(name), jwk(name, { kid: 'one' })]) {
    const found = parse(text);
    expect(found.ok && found.key.algorithms[0]).toBe(algorithm);
    expect(found.ok && found.key.keyId).toBe(text.includes('"kid"') ? 'one' : null);
  }
});

test('a JWK’s alg binds it', () => {
  expect(parse(jwk('rsa2048', { alg: 'PS256' }))).toMatchObject({ key: { algorithms: ['PS256'] } });
});

describe('what can’t be used is said, without a word of it', () => {
  test.each<[string, () => string, RegExp]>([
    ['RSA that is too short', () => pem('rsa1024'), /too short: RSA of 2048 bits/],
    ['another curve', () => pem('secp256k1'), /another curve/],
    ['a key that can’t sign', () => pem('x25519'), /of a kind that can’t be used/],
    ['an alg of another kind', () => jwk('p256', { alg: 'RS256' }), /alg/],
    ['HMAC', () => '{"kty":"oct","k":"canary","d":"canary"}', /can’t be read/],
    ['a public JWK', () => jwk('p256', { d: undefined }), /without its private part/],
    ['broken JSON', () => '{"d":"canary', /can’t be read/],
    ['broken PEM', () => '-----BEGIN PRIVATE KEY-----\ncanary\n-----END PRIVATE KEY-----', /can’t be read/],
    ['PKCS#1', () => '-----BEGIN RSA PRIVATE KEY-----\ncanary\n-----END RSA PRIVATE KEY-----', /PKCS#8/],
    ['an encrypted key', () => '-----BEGIN ENCRYPTED PRIVATE KEY-----\ncanary', /is encrypted/],
    ['a password', () => 'canary', /neither/],
  ])('%s', (_name, text, fault) => {
    const found = parse(text());
    expect(found).toEqual({ ok: false, fault: expect.stringMatching(fault) });
    expect(JSON.stringify(found)).not.toContain('canary');
  });
});
