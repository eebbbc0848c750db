import { UnsecuredJWT } from 'jose';
import { expect, test } from 'vitest';
import { jwtLife } from './jwt-life.ts';

const table: [string, Record<string, unknown>, { issuedAt: number | null; expiresAt: number | null }][] = [
  ['iat and exp', { iat: 100, exp: 200 }, { issuedAt: 100_000, expiresAt: 200_000 }],
  ['nbf where iat is missing', { nbf: 90, exp: 200 }, { issuedAt: 90_000, expiresAt: 200_000 }],
  ['iat before nbf', { iat: 100, nbf: 90 }, { issuedAt: 100_000, expiresAt: null }],
  ['no dates at all', { sub: 'a' }, { issuedAt: null, expiresAt: null }],
  ['fractions of a second, cut', { iat: 1.5, exp: 2.0009 }, { issuedAt: 1500, expiresAt: 2000 }],
  ['a date as text counts as not said', { exp: '200' }, { issuedAt: null, expiresAt: null }],
  ['a date beyond all dates counts as not said', { exp: 1e300 }, { issuedAt: null, expiresAt: null }],
];

test.each(table)('KEP-541/expiry: life of a JWT with %s', (_name, claims, life) => {
  expect(jwtLife(new UnsecuredJWT(claims).encode())).toEqual(life);
});

test.each([['opaque'], [''], ['a.b.c'], ['a.b.c.d.e'], ['....']])(
  'KEP-541/expiry: %j is no JWT and has no end',
  (token) => {
    expect(jwtLife(token)).toBeNull();
  },
);
