import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { hostileForFile, trapForFile } from '../../../../test/support/openid/for-file.ts';
import type { IdTokenOptions } from '../../../../test/support/openid/hostile-tokens.ts';

/** Core: OpenID Connect Core 1.0. */
const { hostile, open, loggedIn } = await hostileForFile();
const trap = await trapForFile();
const now = () => Math.floor(Date.now() / 1000);

test('the provider of these tests is believed while it is honest', async () => {
  const bench = await loggedIn();
  expect(await bench.renew()).toMatchObject({ ok: true });
  expect(bench.session()).toMatchObject({ generation: 2 });
});

// Several audiences without azp: Core 3.1.3.7 (4), errata set 2.
test.each([
  { azp: 'kubernetes' },
  { aud: ['kubernetes', 'other'], azp: 'kubernetes' },
  { aud: ['other', 'kubernetes'] },
])('a token that was made for this client is taken: %j', async (claims) => {
  hostile.idToken = { claims };
  const bench = await loggedIn();
  expect(await bench.renew()).toMatchObject({ ok: true });
});

const malformed = /^oidc\.token\.(malformed|claims)$/;
const anyOf = /^oidc\.token\./;
const audience = 'oidc.token.audience';
const signature = 'oidc.token.signature';
const claims = (of: object) => (): IdTokenOptions => ({ claims: { ...of } });
const stranger =
  (header = {}) =>
  (): IdTokenOptions => ({ sign: 'stranger', header });
const wrongIdTokens: [source: string, what: string, code: string | RegExp, () => IdTokenOptions][] = [
  ['Core 3.1.3.7 (2)', 'of another issuer', 'oidc.token.issuer', claims({ iss: 'https://a.example' })],
  ['Core 3.1.3.7 (2)', 'without an issuer', malformed, claims({ iss: null })],
  ['Core 3.1.3.7 (2)', 'whose issuer is a list', malformed, () => ({ claims: { iss: [hostile.issuer] } })],
  ['Core 3.1.3.7 (3)', 'for another client', audience, claims({ aud: 'other' })],
  ['Core 3.1.3.7 (3)', 'for nobody', malformed, claims({ aud: null })],
  ['Core 3.1.3.7 (3)', 'for others', audience, claims({ aud: ['a', 'b'] })],
  ['Core 3.1.3.7 (3)', 'for an empty list', audience, claims({ aud: [] })],
  [
    'Core 3.1.3.7 (5)',
    'for several, made for another',
    audience,
    claims({ aud: ['kubernetes', 'other'], azp: 'other' }),
  ],
  ['Core 3.1.3.7 (5)', 'for this one, made for another', audience, claims({ azp: 'other' })],
  ['Core 3.1.3.7 (5)', 'made for a list of clients', audience, claims({ azp: ['kubernetes'] })],
  ['Core 3.1.3.7 (9)', 'that is over', 'oidc.token.clock', claims({ exp: now() - 3600 })],
  ['Core 3.1.3.7 (9)', 'without an end', malformed, claims({ exp: null })],
  ['Core 3.1.3.7 (9)', 'whose end is a text', malformed, claims({ exp: '2099' })],
  ['RFC 7519, 4.1.5', 'that is not good yet', 'oidc.token.clock', claims({ nbf: now() + 3600 })],
  ['Core 2', 'without a time', malformed, claims({ iat: null })],
  ['Core 2', 'about nobody', malformed, claims({ sub: null })],
  ['Core 2', 'about an empty name', malformed, claims({ sub: '' })],
  ['Core 2', 'about a number', malformed, claims({ sub: 7 })],
  ['Core 3.1.3.8', 'that belongs to another access token', 'oidc.token.hash', claims({ at_hash: 'x' })],
  ['Core 3.1.3.8', 'whose at_hash is a number', 'oidc.token.hash', claims({ at_hash: 7 })],
  ['RFC 8725, 3.2', 'with alg none', anyOf, () => ({ sign: 'none' })],
  ['RFC 8725, 2.1', 'signed with the public key as a secret', anyOf, () => ({ sign: 'hmac' })],
  ['RFC 7515, 4.1.11', 'with an unknown crit', anyOf, () => ({ header: { crit: ['x'], x: 1 } })],
  ['RFC 7515, 4.1.11', 'with an empty crit', anyOf, () => ({ header: { crit: [] } })],
  ['Core 3.1.3.7 (6)', 'signed by an unpublished key', signature, stranger()],
  ['Core 3.1.3.7 (6)', 'signed by an unpublished key under no name', signature, stranger({ kid: undefined })],
  [
    'RFC 8725, 3.10',
    'with its key in the header',
    signature,
    () => stranger({ kid: undefined, jwk: hostile.mint.strangerJwk })(),
  ],
  [
    'RFC 8725, 3.10',
    'with an address for its key',
    signature,
    () => stranger({ kid: 'stranger', jku: `${trap.address}/jwks`, x5u: `${trap.address}/x` })(),
  ],
  ['RFC 8725, 3.10', 'whose kid is a path', signature, () => ({ header: { kid: '../../etc/passwd' } })],
];

describe('an id token that is wrong', () => {
  test.each(wrongIdTokens)('%s: %s: no login comes of it', async (_source, _what, code, options) => {
    hostile.idToken = options();
    await open().expectRefusedLogin(code);
    expect(trap.requests).toEqual([]);
  });

  test.each(wrongIdTokens)('%s: %s: no renewal, either', async (_source, _what, code, options) => {
    const bench = await loggedIn();
    hostile.idToken = options();
    // An issuer or a subject that isn't the session's own is told apart (rule: same-identity).
    await bench.expectRefusedRenewal(
      new RegExp(`${code instanceof RegExp ? code.source : code}|oidc.subject.changed`),
    );
    expect(trap.requests).toEqual([]);
  });

  test('one without at_hash is what a provider may send in these flows: Core 3.1.3.6', async () => {
    hostile.idToken = { claims: { at_hash: null } };
    expect(await open().login()).toMatchObject({ ok: true });
  });
});

describe('published keys', () => {
  const thousand = () =>
    Array.from({ length: 1000 }, (_, index) => ({ ...hostile.mint.strangerJwk, kid: `k${index}` }));

  test('a thousand of them: the right one is found by its name', async () => {
    hostile.scripts.jwks = () => ({ body: { keys: [...thousand(), ...hostile.mint.jwks.keys] } });
    expect(await open().login()).toMatchObject({ ok: true });
  });

  test('a thousand of them, and the token of none: refused, and asked for once more at the most', async () => {
    hostile.scripts.jwks = () => ({ body: { keys: thousand() } });
    await open().expectRefusedLogin('oidc.token.signature');
    expect(hostile.count('jwks')).toBeLessThanOrEqual(2);
  });

  test.each<[string, () => unknown, string | RegExp]>([
    ['none', () => ({ keys: [] }), 'oidc.token.signature'],
    ['no list', () => ({ keys: {} }), /oidc\.(keys|token)\./],
    ['null', () => null, /oidc\.(keys|token)\./],
    ['a text', () => '"keys"', /oidc\.(keys|token)\./],
    ['entries that are none', () => ({ keys: [null, 7, 'x', {}] }), /oidc\.(keys|token)\./],
    ['a page', () => '<html>', 'oidc.keys.notJson'],
    [
      'a secret key, published',
      () => ({ keys: [{ kty: 'oct', k: 'c2VjcmV0', kid: 'hostile-1' }] }),
      /oidc\.token\./,
    ],
    [
      'a key for encryption',
      () => ({ keys: [{ ...hostile.mint.jwks.keys[0], use: 'enc' }] }),
      'oidc.token.signature',
    ],
    [
      'a key of another kind under the same name',
      () => ({
        keys: [
          {
            ...generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export({ format: 'jwk' }),
            kid: 'hostile-1',
          },
        ],
      }),
      'oidc.token.signature',
    ],
    ['more than a mebibyte', () => ({ keys: [], padding: 'x'.repeat(1024 * 1024) }), 'oidc.keys.tooLarge'],
  ])('%s: no login', async (_what, body, code) => {
    hostile.scripts.jwks = () => ({ body: body() });
    await open().expectRefusedLogin(code);
  });
});

describe('the token answer', () => {
  const noToken = 'access-token-that-is-none';
  const wrongAnswers: [source: string, what: string, code: string | RegExp, Record<string, unknown>][] = [
    ['RFC 6749, 7.1', 'token_type mac', anyOf, { token_type: 'mac' }],
    ['RFC 9449, 5', 'token_type DPoP, which was not asked for', anyOf, { token_type: 'DPoP' }],
    ['RFC 6749, 5.1', 'no token_type', anyOf, { token_type: null }],
    ['RFC 6749, 5.1', 'no access token', anyOf, { access_token: null }],
    ['RFC 6749, 5.1', 'an access token that is a number', anyOf, { access_token: 7 }],
    ['RFC 6749, 5.1', 'an empty access token', anyOf, { access_token: '' }],
    ['RFC 6749, 5.1', 'a refresh token that is a list', anyOf, { refresh_token: [noToken] }],
    ['Core 3.1.3.3', 'an id token that is an object', anyOf, { id_token: { sub: 'alice' } }],
    ['Core 3.1.3.3', 'an id token that is none', anyOf, { id_token: 'a.b.c' }],
    ['Core 3.1.3.3', 'an id token of five parts', anyOf, { id_token: 'a.b.c.d.e' }],
    ['RFC 6749, 5.1', 'a negative life', anyOf, { expires_in: -1 }],
    ['RFC 6749, 5.1', 'a life that is a word', anyOf, { expires_in: 'forever' }],
  ];
  test.each(wrongAnswers)('%s: %s: no login', async (_source, _what, code, fields) => {
    hostile.tokenFields = fields;
    await open().expectRefusedLogin(code);
  });
  test.each(wrongAnswers)('%s: %s: no renewal', async (_source, _what, code, fields) => {
    const bench = await loggedIn();
    hostile.tokenFields = fields;
    // An id token without a clear subject belongs to no one (rule: same-identity).
    await bench.expectRefusedRenewal(new RegExp(`${String(code).slice(1, -1)}|^oidc.subject.changed$`));
  });

  test.each<[string, unknown]>([
    ['no end at all', null],
    ['1e300 seconds', 1e300],
    ['a hundred thousand years', 3.2e12],
    ['as a text that is huge', '9'.repeat(300)],
  ])('token: access with %s: an end that can be told, or none', async (_what, expiresIn) => {
    hostile.tokenFields = { expires_in: expiresIn };
    const bench = open({ config: { token: 'access' } });
    const outcome = await bench.login();
    const held = await bench.account.current();
    if (!outcome.ok) {
      expect(held).toBeNull();
      return;
    }
    const end = held?.ok ? held.credential.expiresAt : 0;
    expect(end === null || !Number.isNaN(new Date(end).getTime())).toBe(true);
  });

  test('an id token that lives to the end of time: an end that can be told, or none', async () => {
    hostile.idToken = { claims: { exp: 1e300 } };
    const bench = await loggedIn();
    const held = await bench.account.current();
    expect(held?.ok ? held.credential.expiresAt : null).toBeNull();
  });

  test('a name for display that would turn a terminal is made harmless', async () => {
    hostile.idToken = {
      claims: { email: null, preferred_username: 'ali\u202ece\u001b[2J\r\nroot', name: '\u0000' },
    };
    const bench = open();
    const outcome = await bench.login();
    expect(outcome).toMatchObject({ ok: true, displayName: 'ali ce [2J root' });
    await bench.expectNothingTold(outcome);
  });

  test('a subject that would turn a terminal is made harmless', async () => {
    hostile.idToken = { claims: { sub: 'a\u202eb\u001b]0;x\u0007', email: null } };
    const bench = open();
    const outcome = await bench.login();
    await bench.expectNothingTold(outcome);
    hostile.idToken = { claims: { sub: 'mallory' } };
    await bench.expectNothingTold(await bench.login());
  });
});
