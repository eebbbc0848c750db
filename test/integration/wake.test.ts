import { setTimeout as delay } from 'node:timers/promises';
import { describe, type TestContext, test } from 'vitest';
import { readKeptHistory } from '../support/kept-history.ts';
import { credentialIn, Stage, until } from '../support/stage.ts';

/**
 * With real parts (rule: issued-while-good). A machine that sleeps can't be had here: the broker is stopped for longer
 * than it takes for a sleep. Unlike in a sleep its timers go on meanwhile; unit tests have the timers that stand still,
 * and the jitter.
 */
async function open({ onTestFinished }: TestContext, idTokenSeconds: number): Promise<Stage> {
  const stage = await Stage.open({ provider: { lifetimes: { idTokenSeconds } } });
  onTestFinished(() => stage.dispose());
  await stage.logIn();
  return stage;
}

describe.concurrent('a grant in use', () => {
  test('is renewed after a wake, without a caller', { timeout: 120_000 }, async (context) => {
    const { expect } = context;
    const stage = await open(context, 20);
    const { token } = credentialIn(await stage.ask('corp'));
    stage.provider.lifetimes.idTokenSeconds = 600;
    process.kill(stage.agent.pid, 'SIGSTOP');
    try {
      await delay(32_000);
    } finally {
      process.kill(stage.agent.pid, 'SIGCONT');
    }
    await stage.agent.waitForLog(/"oidc\.refreshed"/, 60_000);
    expect(stage.provider.counts.tokenRequests.refresh_token).toBe(1);
    expect(credentialIn(await stage.ask('corp')).token).not.toBe(token);
    await stage.agent.stop();
    expect(readKeptHistory(stage)).toMatchObject({
      handedOut: [{ how: 'held' }, { how: 'held' }],
      renewals: [{ why: 'ahead', outcome: 'renewed' }],
      refused: [],
    });
  });

  test('outlives a provider that is away, which is said, and is renewed when it is back', {
    timeout: 120_000,
  }, async (context) => {
    const { expect } = context;
    const stage = await open(context, 20);
    const { token } = credentialIn(await stage.ask('corp'));
    await stage.provider.stopListening();
    const problem = await until(
      async () =>
        (await stage.status()).accounts.find(({ name }: { name: string }) => name === 'corp')?.problem,
      'a word of it in the status',
    );
    expect(problem).toContain('could not be renewed');
    expect(credentialIn(await stage.ask('corp')).token).toBe(token);
    stage.provider.lifetimes.idTokenSeconds = 600;
    await stage.provider.resumeListening();
    await stage.agent.waitForLog(/"oidc\.refreshed"/, 60_000);
    expect(credentialIn(await stage.ask('corp')).token).not.toBe(token);
    const { accounts } = await stage.status();
    expect(accounts.find(({ name }: { name: string }) => name === 'corp')).toMatchObject({ problem: null });
    await stage.agent.stop();
    const { renewals, refused } = readKeptHistory(stage);
    expect(refused).toEqual([]);
    expect(new Set(renewals.map(({ why }) => why))).toEqual(new Set(['ahead']));
  });
});
