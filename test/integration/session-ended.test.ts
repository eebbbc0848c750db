import { afterAll, beforeAll, expect, test } from 'vitest';
import { Stage, until } from '../support/stage.ts';

/** A session that the provider ends (an administrator, a disabled user, idle time), with all parts real. */
let stage: Stage;
beforeAll(async () => {
  stage = await Stage.open({ provider: { lifetimes: { idTokenSeconds: 2 } } });
});
afterAll(() => stage?.dispose());

const reason = 'the provider ended the session of corp';
const ask = async () => (await stage.ask('corp')).stderr.replaceAll(/\s+/g, ' ');

test('clients, status and doctor say why the session ended, after a restart, until the next login', async () => {
  await stage.logIn();
  expect((await stage.ask('corp')).code).toBe(0);
  stage.provider.setFault('token', {
    kind: 'oauthError',
    error: 'invalid_grant',
    description: 'Session not active',
  });
  const refused = await until(async () => {
    const done = await stage.ask('corp');
    return done.code === 0 ? null : done;
  }, 'the end of the session');
  expect(refused).toMatchObject({ code: 15, stdout: '' });

  for (const round of ['the same broker', 'another broker']) {
    const told = await ask();
    expect(told, round).toContain(reason);
    expect(told, round).toContain('invalid_grant: Session not active');
    expect(told, round).toContain('lanyard login corp');
    expect(told, round).not.toContain('offline_access');
    const { accounts } = await stage.status();
    expect(accounts).toContainEqual(
      expect.objectContaining({
        name: 'corp',
        state: 'loginNeeded',
        problem: expect.stringContaining(reason),
      }),
    );
    const doctor = await stage.lanyard(['doctor', '--json']);
    const about = JSON.parse(doctor.stdout).findings.filter(
      (each: { check: string; subject: string }) => each.check === 'account.login' && each.subject === 'corp',
    );
    expect(about).toMatchObject([
      { message: expect.stringContaining('Session not active'), hint: 'lanyard login corp' },
    ]);
    await stage.startAgent();
  }

  stage.provider.clearFaults();
  await stage.logIn();
  expect((await stage.ask('corp')).code).toBe(0);
  expect((await stage.status()).accounts[0].problem).toBeNull();
});
