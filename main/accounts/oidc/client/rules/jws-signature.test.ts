import { generateKeyPairSync, sign, verify } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { jwsAlgorithms, jwsSignature, schemeOf } from './jws-signature.ts';

const hex = (text: string) => Buffer.from(text.replaceAll(' ', ''), 'hex');
const of32 = (text: string) => text.padStart(64, '0');

test.each<[string, number[], string[]]>([
  ['P-256', [0x0403], ['ES256']],
  ['P-384', [0x0503], ['ES384']],
  [
    'RSA',
    [0x0804, 0x0805, 0x0806, 0x0401, 0x0501, 0x0601],
    ['RS256', 'PS256', 'RS384', 'PS384', 'RS512', 'PS512'],
  ],
  ['RSA without PSS', [0x0601, 0x0401], ['RS256', 'RS512']],
  ['one that JWS has no name for', [0x0807, 0x0201], []],
])('a key of %s that signs by %j', (_key, schemes, algorithms) => {
  expect(jwsAlgorithms(schemes)).toEqual(algorithms);
  for (const algorithm of algorithms) {
    expect(schemes).toContain(schemeOf(algorithm));
  }
});

test('no other algorithm has a scheme, nor a signature', () => {
  expect([schemeOf('HS256'), schemeOf('none')]).toEqual([null, null]);
});

describe('ECDSA’s numbers', () => {
  test.each<[string, string, string | null]>([
    ['short ones get zeros before them', '30 06 0201 05 0201 7f', of32('05') + of32('7f')],
    ['the zero of a high bit goes', '30 08 0202 0080 0202 00ff', of32('80') + of32('ff')],
    ['zero itself', '30 06 0201 00 0201 01', of32('') + of32('01')],
    ['none', '30 00', null],
    ['one', '30 03 0201 05', null],
    ['three', '30 09 0201 01 0201 02 0201 03', null],
    ['more behind them', '30 06 0201 05 0201 7f 00', null],
    ['a length that lies', '30 07 0201 05 0201 7f', null],
    ['another element', '31 06 0201 05 0201 7f', null],
    ['another number', '30 06 0301 05 0201 7f', null],
    ['one that is too long', `30 26 0221 01${of32('')} 0201 05`, null],
    ['nothing', '', null],
  ])('%s', (_name, der, joined) => {
    expect(jwsSignature('ES256', hex(der))).toEqual(joined === null ? null : hex(joined));
  });

  test.each([
    ['P-256', 'ES256', 'sha256', 64],
    ['P-384', 'ES384', 'sha384', 96],
  ])('of %s are those that %s is verified by', (namedCurve, algorithm, hash, length) => {
    const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve });
    for (let count = 0; count < 100; count += 1) {
      const message = Buffer.from(`message ${count}`);
      const joined = jwsSignature(algorithm, sign(hash, message, { key: privateKey, dsaEncoding: 'der' }));
      expect(joined).toHaveLength(length);
      const key = { key: publicKey, dsaEncoding: 'ieee-p1363' } as const;
      expect(verify(hash, message, key, joined ?? Buffer.alloc(0))).toBe(true);
    }
  });
});

test('an RSA signature stays as it is', () => {
  expect(jwsSignature('PS256', hex('3006020105020107'))).toEqual(hex('3006020105020107'));
});
