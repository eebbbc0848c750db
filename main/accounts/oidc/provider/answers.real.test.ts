import { describe, expect, test } from 'vitest';
import { hostileForFile } from '../../../../test/support/openid/for-file.ts';
import type { HostileAnswer, HostileEndpoint } from '../../../../test/support/openid/hostile.ts';

const { hostile, open, loggedIn } = await hostileForFile();

/** The honest answer of `endpoint` with `fields` put over it as they are: null stays. */
function write(endpoint: HostileEndpoint, fields: Readonly<Record<string, unknown>>): void {
  const honest = hostile.honest(endpoint);
  hostile.scripts[endpoint] = (request) => {
    const { body } = honest(request) as { body: object };
    return { body: { ...body, ...fields } };
  };
}

const answering = (status: number, body: string, type = 'text/html') =>
  (() => ({ status, headers: { 'content-type': type }, body })) satisfies () => HostileAnswer;

describe('an optional field that is null or "" is an absent one', () => {
  test.each<Record<string, unknown>>([
    { refresh_token: '' },
    { refresh_token: null },
    { scope: null },
    { scope: ['openid'] },
    { scope: 7 },
    { expires_in: null },
    { expires_in: '' },
    { expires_in: '600' },
    { issued_token_type: null, error: null },
    { token_type: 'BEARER', not_before_policy: 0, session_state: 'x', id_token_expires_in: 5 },
  ])('a token answer with %j', async (fields) => {
    write('token', fields);
    const bench = await loggedIn();
    const has = !('refresh_token' in fields);
    expect(bench.session().refreshToken !== null).toBe(has);
    expect((await bench.renew()).ok).toBe(has);
  });

  test.each<unknown>(['', null])(
    'a renewal with refresh_token %j keeps the one that there is',
    async (none) => {
      const bench = await loggedIn();
      const before = bench.session().refreshToken?.reveal();
      write('token', { refresh_token: none });
      expect(await bench.renew()).toMatchObject({ ok: true });
      expect(bench.session().refreshToken?.reveal()).toBe(before);
      expect(bench.session()).toMatchObject({ generation: 2, intent: null });
    },
  );

  test.each<unknown>(['', null])('an id token that is %j is none: token: access goes on', async (none) => {
    const bench = await loggedIn({ config: { token: 'access' } });
    write('token', { id_token: none });
    expect(await bench.renew()).toMatchObject({ ok: true });
  });

  test.each<Record<string, unknown>>([
    { at_hash: null },
    { at_hash: '' },
    { azp: null },
    { azp: '' },
    { nbf: null },
    { auth_time: null, amr: null, nonce: null },
    { aud: ['kubernetes', 'other'], azp: null },
  ])('an id token with %j, at the login and at a renewal', async (written) => {
    hostile.idToken = { written };
    const bench = await loggedIn();
    expect(await bench.renew()).toMatchObject({ ok: true });
  });

  test.each<[Record<string, unknown>, seconds: number]>([
    [{ verification_uri_complete: '' }, 1],
    [{ verification_uri_complete: null, interval: null }, 5],
    [{ interval: 0 }, 5],
    [{ interval: '0' }, 5],
    [{ interval: '7', expires_in: '300' }, 7],
    [{ verification_uri: '', verification_url: 'https://microsoft.com/devicelogin' }, 1],
  ])('a device answer with %j is polled after %i s', async (fields, seconds) => {
    write('device', fields);
    const bench = await loggedIn();
    expect(bench.clock.waits[0]).toBe(seconds * 1000);
  });

  test.each<unknown>(['', null])('an endpoint that is %j isn’t offered', async (none) => {
    write('discovery', { revocation_endpoint: none, userinfo_endpoint: none, authorization_endpoint: none });
    expect((await (await loggedIn()).account.logout()).revocation).toBe('notOffered');
    write('discovery', { device_authorization_endpoint: none });
    expect(await open().login()).toMatchObject({ ok: false, code: 'oidc.device.missingEndpoint' });
  });

  test('a published key with null for what it doesn’t say', async () => {
    const [key] = hostile.mint.jwks.keys;
    hostile.scripts.jwks = () => ({
      body: { keys: [{ ...key, key_ops: null, x5c: null, x5t: null, ext: null }] },
    });
    await loggedIn();
  });
});

describe('what stays wrong is named by its field', () => {
  test.each<[HostileEndpoint, Record<string, unknown>, code: string, words: string]>([
    ['token', { token_type: null }, 'oidc.token.malformed', 'without token_type'],
    ['token', { access_token: '' }, 'oidc.token.malformed', 'without access_token'],
    ['token', { expires_in: 'soon' }, 'oidc.token.malformed', 'whose expires_in is wrong'],
    ['token', { expires_in: -1 }, 'oidc.token.malformed', 'whose expires_in is wrong'],
    ['token', { refresh_token: 7 }, 'oidc.token.malformed', 'whose refresh_token is wrong'],
    ['token', { id_token: 'a.b.c' }, 'oidc.token.malformed', 'whose id_token is wrong'],
    ['device', { user_code: null }, 'oidc.device.malformed', 'without user_code'],
    ['device', { verification_uri: '' }, 'oidc.device.malformed', 'without verification_uri'],
    ['device', { interval: 'often' }, 'oidc.device.malformed', 'whose interval is wrong'],
    ['discovery', { issuer: null }, 'oidc.discovery.malformed', 'without issuer'],
    ['discovery', { token_endpoint: 7 }, 'oidc.token.malformed', 'whose token_endpoint is wrong'],
  ])('%s %j: %s', async (endpoint, fields, code, words) => {
    write(endpoint, fields);
    const outcome = await open().login();
    expect(outcome).toMatchObject({
      ok: false,
      code,
      message: expect.stringMatching(`sent an answer ${words}$`),
    });
  });

  test.each<[Record<string, unknown>, words: string]>([
    [{ iss: null }, 'without id_token.iss'],
    [{ aud: null }, 'without id_token.aud'],
    [{ sub: '' }, 'without id_token.sub'],
    [{ sub: ' ' }, 'whose id_token.sub is wrong'],
    [{ exp: '2099' }, 'whose id_token.exp is wrong'],
    [{ iat: null }, 'without id_token.iat'],
    [{ auth_time: 'today' }, 'whose id_token.auth_time is wrong'],
  ])('an id token with %j', async (written, words) => {
    hostile.idToken = { written };
    expect(await open().login()).toMatchObject({
      code: 'oidc.token.malformed',
      message: expect.stringMatching(`sent an answer ${words}$`),
    });
  });

  test.each<Record<string, unknown>>([{ token_type: null }, { access_token: null }, { id_token: 'a.b.c' }])(
    'a renewal with %j: the new refresh token in it isn’t lost',
    async (fields) => {
      const bench = await loggedIn();
      write('token', { ...fields, refresh_token: 'rotated' });
      expect(await bench.renew()).toMatchObject({ code: 'oidc.token.malformed' });
      expect(bench.session().refreshToken?.reveal()).toBe('rotated');
      expect(bench.session()).toMatchObject({ generation: 1, intent: null });
    },
  );
});

describe('an error in another form than the standard’s', () => {
  test.each([
    ['a word', answering(400, 'invalid_grant')],
    ['a word on a line', answering(401, ' invalid_grant\r\n', 'text/plain')],
    ['a JSON text', answering(400, '"invalid_grant"')],
    [
      'a form',
      answering(400, 'error=invalid_grant&error_description=gone', 'application/x-www-form-urlencoded'),
    ],
    ['JSON that says it is a page', answering(400, '{"error":"invalid_grant","error_description":null}')],
    [
      'JSON with a number for its description',
      answering(400, '{"error":"invalid_grant","error_description":7}'),
    ],
    [
      'JSON with a challenge',
      () => ({
        status: 401,
        headers: { 'www-authenticate': 'Bearer error="invalid_token"' },
        body: { error: 'invalid_grant' },
      }),
    ],
  ])('%s: the session is ended, and a login is asked for', async (_what, script) => {
    const bench = await loggedIn();
    hostile.scripts.token = script;
    expect(await bench.renew()).toMatchObject({
      reason: 'loginNeeded',
      code: 'oidc.session.ended',
      message: expect.stringContaining('invalid_grant'),
    });
    expect(bench.session().refreshToken).toBeNull();
  });

  test('so it is where the refresh token is a part of the word', async () => {
    write('token', { refresh_token: 'r' });
    const bench = await loggedIn();
    hostile.scripts.token = answering(400, 'invalid_grant');
    expect(await bench.renew()).toMatchObject({ code: 'oidc.session.ended' });
  });

  test.each([
    ['a page about it', answering(400, '<p>invalid_grant</p>')],
    ['a page with a link', answering(400, '<a href="/login?a&error=invalid_grant&b">Log in</a>')],
    ['a sentence about it', answering(400, 'not invalid_grant')],
    ['a gateway’s word', answering(403, 'invalid_grant')],
    ['a gateway’s word while it is out of order', answering(502, 'invalid_grant')],
    ['a word that is none of OAuth’s', answering(400, 'nonsense')],
  ])('%s ends nothing', async (_what, script) => {
    const bench = await loggedIn();
    hostile.scripts.token = script;
    expect(await bench.renew()).toMatchObject({ reason: 'provider', code: 'oidc.token.status' });
    expect(bench.session().refreshToken).not.toBeNull();
  });
});

describe('what is said of a status goes by what was asked', () => {
  const renewalAt = (endpoint: 'token' | 'jwks') => async (status: number) => {
    const bench = await loggedIn();
    if (endpoint === 'jwks') {
      // Another name for the key: the published ones are asked for again.
      hostile.idToken = { header: { kid: 'next' } };
    }
    hostile.scripts[endpoint] = answering(status, '<h1>none</h1>');
    return bench.renew();
  };
  const loginAt = (endpoint: HostileEndpoint) => async (status: number) => {
    hostile.scripts[endpoint] = answering(status, '<h1>none</h1>');
    return open().login();
  };
  const outOfOrder = 'is out of order for now';
  test.each<[string, number, (status: number) => Promise<object>, message: string, hint: string]>([
    ['discovery', 404, loginAt('discovery'), 'answered with', 'check the account’s issuer'],
    ['discovery', 503, loginAt('discovery'), outOfOrder, 'try again in a minute'],
    ['device', 403, loginAt('device'), 'answered with', 'a gateway or firewall'],
    ['token', 404, loginAt('token'), 'answered with', 'a gateway or firewall'],
    ['keys', 503, loginAt('jwks'), outOfOrder, 'try again in a minute'],
    ['keys at a renewal', 503, renewalAt('jwks'), outOfOrder, 'try again in a minute'],
    ['renewal', 502, renewalAt('token'), outOfOrder, 'Lanyard tries again'],
    ['renewal', 429, renewalAt('token'), 'gets too many requests', 'Lanyard tries again'],
    ['renewal', 403, renewalAt('token'), 'answered with', 'lanyard login corp'],
  ])('%s: %i', async (step, status, ask, message, hint) => {
    const outcome = (await ask(status)) as { message: string; hint: string };
    expect(outcome.message).toContain(message);
    expect(outcome.message).toContain(`HTTP status ${status}`);
    expect(outcome.hint).toContain(hint);
    expect(outcome.hint.includes('issuer')).toBe(step === 'discovery' && status === 404);
  });

  test('Entra ID’s first endpoints poll by another form: the hint says what works', async () => {
    hostile.metadata = { device_authorization_endpoint: `${hostile.issuer}/oauth2/devicecode` };
    hostile.scripts.other = hostile.honest('device');
    hostile.scripts.token = () => ({
      status: 400,
      body: { error: 'invalid_request', error_description: 'AADSTS90014: field code is missing' },
    });
    expect(await open().login()).toMatchObject({
      code: 'oidc.token.error',
      hint: expect.stringMatching(/lanyard login corp --browser.*\/v2\.0/),
    });
  });
});
