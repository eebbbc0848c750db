import { expect, test } from 'vitest';
import { providerForFile } from '../../../../test/support/openid/for-file.ts';
import { FakeClock } from '../../testing/fake-clock.ts';

const { provider, loggedIn } = await providerForFile();

const seconds = () => Math.floor(Date.now() / 1000);

test('OIDC Core 12.2: a renewal’s id token of an earlier time is dropped, its refresh token kept', async () => {
  const bench = await loggedIn();
  const before = bench.session();
  bench.change({ claims: { ...before.claims, iat: seconds() + 3600 } });
  expect(await bench.renew()).toMatchObject({
    ok: false,
    reason: 'provider',
    code: 'oidc.refresh.earlierToken',
    message: expect.stringContaining('an earlier time'),
  });
  expect(bench.session()).toMatchObject({ generation: 1, intent: null, token: before.token });
  expect(bench.session().refreshToken?.reveal()).not.toBe(before.refreshToken?.reveal());
  bench.change({ claims: before.claims });
  expect((await bench.renew()).ok).toBe(true);
});

test('a clock that is off shows in the state, with its difference; one that is right doesn’t', async () => {
  const right = await loggedIn();
  expect(await right.account.state()).toMatchObject({ state: 'ready', problem: null });
  expect((await right.account.state()).clockOffSeconds).toBeUndefined();

  const ahead = await loggedIn({ clock: new FakeClock(Date.now() + 420_000) });
  const { host } = new URL(provider.issuer);
  const state = await ahead.account.state();
  expect(state.problem).toBe(`this machine’s clock is 7 min ahead of ${host}’s`);
  expect(Math.abs((state.clockOffSeconds ?? 0) - 420)).toBeLessThan(10);

  const far = await loggedIn({ clock: new FakeClock(Date.now() + 3_600_000) });
  expect(await far.renew()).toMatchObject({
    ok: false,
    code: 'oidc.token.clock',
    message: expect.stringMatching(
      /not valid at this machine’s time: this machine’s clock is 60 min ahead of/,
    ),
  });
});
