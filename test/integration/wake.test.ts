import { writeFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, onTestFinished, type TestContext, test } from 'vitest';
import { startAgent } from '../support/agent.ts';
import { readKeptHistory } from '../support/kept-history.ts';
import { whyNotLong } from '../support/long.ts';
import { credentialIn, Stage, until } from '../support/stage.ts';
import { unless } from '../support/unless.ts';

/**
 * With real parts (rule: issued-while-good). A machine that sleeps can't be had here: the wall clock is set ahead, which
 * counts as a sleep. In the long form the broker is stopped for longer than it takes for one, and tokens end in real
 * time. Unlike in a sleep its timers go on meanwhile; unit tests have the timers that stand still, and the jitter.
 */
const problemOf = async (stage: Stage) =>
  (await stage.status()).accounts.find(({ name }: { name: string }) => name === 'corp')?.problem;

test('a grant whose end comes near while the provider is away serves on, and is renewed without a caller', async () => {
  const lifeSeconds = 1_200;
  let clock = '';
  const stage = await Stage.open({
    provider: { lifetimes: { idTokenSeconds: lifeSeconds } },
    startAgent: (options) => {
      clock = options.home.write('clock', '0');
      const preload = new URL('../support/clock-preload.ts', import.meta.url).href;
      const env = { NODE_OPTIONS: `--import ${preload}`, LANYARD_TEST_CLOCK: clock };
      return startAgent({ ...options, mode: 'source', env });
    },
  });
  onTestFinished(() => stage.dispose());
  await stage.logIn();
  const { token } = credentialIn(await stage.ask('corp'));
  const { requests } = stage.provider.counts;
  const before = requests.token;
  stage.provider.setFault('token', { kind: 'down' });
  writeFileSync(clock, String((lifeSeconds - 70) * 1_000));
  await until(() => (requests.token > before ? true : null), 'a try without a caller');
  expect(credentialIn(await stage.ask('corp')).token).toBe(token);
  stage.provider.lifetimes.idTokenSeconds = 10 * lifeSeconds;
  stage.provider.clearFaults();
  await stage.agent.waitForLog(/"oidc\.refreshed"/, 60_000);
  expect(credentialIn(await stage.ask('corp')).token).not.toBe(token);
  expect(stage.provider.counts.tokenRequests.refresh_token).toBe(1);
  await stage.agent.stop();
  const { handedOut, renewals, refused } = readKeptHistory(stage);
  expect([handedOut.length, refused]).toEqual([3, []]);
  expect(new Set(renewals.map(({ why }) => why))).toEqual(new Set(['ahead']));
});

async function open({ onTestFinished }: TestContext, idTokenSeconds: number): Promise<Stage> {
  const stage = await Stage.open({ provider: { lifetimes: { idTokenSeconds } } });
  onTestFinished(() => stage.dispose());
  await stage.logIn();
  return stage;
}

describe.concurrent('a grant in use', unless(whyNotLong), () => {
  test('is renewed after a wake, without a caller', async (context) => {
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

  test('outlives a provider that is away, which is said, and is renewed when it is back', async (context) => {
    const { expect } = context;
    const stage = await open(context, 20);
    const { token } = credentialIn(await stage.ask('corp'));
    await stage.provider.stopListening();
    const problem = await until(() => problemOf(stage), 'a word of it in the status');
    expect(problem).toContain('could not be renewed');
    expect(credentialIn(await stage.ask('corp')).token).toBe(token);
    stage.provider.lifetimes.idTokenSeconds = 600;
    await stage.provider.resumeListening();
    await stage.agent.waitForLog(/"oidc\.refreshed"/, 60_000);
    expect(credentialIn(await stage.ask('corp')).token).not.toBe(token);
    expect(await problemOf(stage)).toBeNull();
    await stage.agent.stop();
    const { renewals, refused } = readKeptHistory(stage);
    expect(refused).toEqual([]);
    expect(new Set(renewals.map(({ why }) => why))).toEqual(new Set(['ahead']));
  });
});
