import { beforeEach, expect, test } from 'vitest';
import { hostileForFile } from '../../../../test/support/openid/for-file.ts';
import { FakeClock } from '../../testing/fake-clock.ts';
import { openHostileBench } from '../../testing/hostile-bench.ts';
import { createOidcAccount } from '../oidc-account.ts';

/** A provider whose answers have no Date, as Keycloak's. */
const { hostile: provider } = await hostileForFile();
beforeEach(() => {
  for (const endpoint of ['discovery', 'jwks', 'device', 'token'] as const) {
    const honest = provider.honest(endpoint);
    provider.scripts[endpoint] = (request) => (response) => {
      const { body } = honest(request) as { body: unknown };
      response.sendDate = false;
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify(body));
    };
  }
});

const minutes = (count: number) => count * 60_000;
const openAt = (off: number) =>
  openHostileBench(createOidcAccount, provider, { clock: new FakeClock(Date.now() + off) });

test.each([
  [minutes(7), 420, '7 min ahead of'],
  [-minutes(7), -420, '7 min behind'],
])('a clock that is off by %d ms shows by the id token', async (off, seconds, words) => {
  const bench = openAt(off);
  await bench.login();
  const { clockOffSeconds = 0, problem } = await bench.account.state();
  expect(Math.abs(clockOffSeconds - seconds)).toBeLessThan(30);
  expect(problem).toContain(words);
});

test('a clock that is right is not spoken of', async () => {
  const bench = openAt(0);
  await bench.login();
  expect(await bench.account.state()).toMatchObject({ problem: null });
});

test('a token that fails for its time is told with the amount', async () => {
  const issued = Math.floor((Date.now() + minutes(20)) / 1000);
  provider.idToken = { claims: { iat: issued, nbf: issued, exp: issued + 600 } };
  expect(await openAt(0).login()).toMatchObject({
    code: 'oidc.token.clock',
    message: expect.stringContaining('20 min behind'),
  });
});

test('a client’s key whose assertion is not active: the clock, by how much, and no word of a secret', async () => {
  const bench = openAt(minutes(7));
  await bench.login();
  provider.scripts.token = () => (response) => {
    response.sendDate = false;
    response.writeHead(400, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ error: 'invalid_client', error_description: 'Token is not active' }));
  };
  const refused = await bench.renew();
  expect(refused).toMatchObject({
    code: 'oidc.client.rejected',
    message: expect.stringContaining('7 min ahead of'),
    hint: expect.stringContaining('check this machine’s clock'),
  });
  expect(JSON.stringify(refused)).not.toContain('clientSecret');
});
