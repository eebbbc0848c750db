import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { filesBelow, findCanaries } from '../support/canary.ts';
import { CardedStage } from '../support/keys/carded-stage.ts';
import { noSoftHsm } from '../support/keys/softhsm.ts';
import { mustBeGood, until } from '../support/stage.ts';

/** How long a PIN lives, and where it is: in memory while Lanyard is unlocked, and nowhere else. */
let carded: CardedStage;
const pin = 'canary-4f1c7a90-pin';

beforeAll(async () => {
  if (noSoftHsm !== null) return;
  carded = await CardedStage.open({ pin });
});
afterEach(async () => {
  await carded?.stage.lanyard(['logout', 'card']);
  carded?.tokens.reset();
});
afterAll(() => carded?.dispose());

/** The PIN was typed, and kubectl works by it; the process that has the token open. */
async function atWork(): Promise<number> {
  expect(await carded.logIn()).toMatchObject({ code: 0 });
  expect(await carded.pods()).toMatchObject({ code: 0 });
  const [pid, ...others] = carded.keysProcesses();
  expect(others).toEqual([]);
  return pid ?? 0;
}

async function isAskedFor(): Promise<void> {
  const before = carded.tokens.noted('logins').length;
  const pods = await carded.pods();
  expect(pods.code).not.toBe(0);
  expect(pods.stderr).toContain('lanyard login card');
  expect(carded.tokens.noted('logins')).toHaveLength(before);
}

describe.skipIf(noSoftHsm !== null)('a PIN is forgotten', () => {
  // (rule: locked-issues-nothing)
  test('at the lock, with the process that had it', async () => {
    const keys = await atWork();
    mustBeGood(await carded.stage.lanyard(['lock']));
    await carded.gone(keys);
    expect((await carded.pods()).stderr).toContain('lanyard unlock');
    await carded.unlock();
    await isAskedFor();
    expect(await carded.logIn()).toMatchObject({ code: 0 });
    expect(await carded.pods()).toMatchObject({ code: 0 });
  });

  test('at the lock, while the token is waited for', async () => {
    const keys = await atWork();
    carded.tokens.misbehave('sleep');
    carded.stage.api.dropIdleConnections();
    const signed = carded.tokens.noted('signs').length;
    const waiting = carded.pods();
    await until(() => (carded.tokens.noted('signs').length > signed ? true : null), 'the signature');
    mustBeGood(await carded.stage.lanyard(['lock']));
    await carded.gone(keys);
    expect((await waiting).code).not.toBe(0);
    carded.tokens.misbehave('sleep', false);
    await carded.unlock();
    await isAskedFor();
  });

  test('at the logout', async () => {
    const keys = await atWork();
    mustBeGood(await carded.stage.lanyard(['logout', 'card']));
    await carded.gone(keys);
    await isAskedFor();
  });

  test('with a broker that is killed: lanyard-keys ends with it', async () => {
    const keys = await atWork();
    carded.tokens.misbehave('sleep');
    await carded.stage.agent.kill('SIGKILL');
    await carded.gone(keys);
    carded.tokens.misbehave('sleep', false);
    await carded.stage.startAgent();
    await isAskedFor();
  });
});

test.skipIf(noSoftHsm !== null)('a PIN is in no log, file, command line or environment', async () => {
  await carded.logIn(`${pin}-wrong`);
  const keys = await atWork();
  carded.tokens.misbehave('once');
  carded.stage.api.dropIdleConnections();
  expect(await carded.pods()).toMatchObject({ code: 0 });
  await carded.stage.lanyard(['doctor']);
  const { home } = carded.stage;
  const said = async (...args: string[]) => {
    const { stdout, stderr } = await carded.stage.lanyard(args);
    return { where: args.join(' '), bytes: Buffer.from(stdout + stderr) };
  };
  const running = carded.keysProcesses();
  expect(running).toHaveLength(1);
  expect(running).not.toContain(keys);
  const texts = [
    { where: 'the logs', bytes: Buffer.from(carded.stage.agentLogs()) },
    ...filesBelow(home.outside),
    ...processTexts(),
    await said('audit', '--json'),
    await said('status', '--json'),
    await said('doctor', '--json'),
  ];
  // What is looked at has what is looked for where it is.
  expect(texts.some(({ where }) => where === `/proc/${running[0]}/cmdline`)).toBe(true);
  expect(
    findCanaries([{ name: 'this test’s own', value: pin }], [{ where: 'x', bytes: Buffer.from(pin) }]),
  ).toHaveLength(1);
  expect(findCanaries([{ name: 'the PIN', value: pin }], texts)).toEqual([]);
});

/** Command line and environment of each process: of a hardened one, nobody but root can read the latter. */
function* processTexts(): Generator<{ where: string; bytes: Buffer }> {
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    for (const file of ['cmdline', 'environ']) {
      const where = `/proc/${pid}/${file}`;
      try {
        yield { where, bytes: readFileSync(where) };
      } catch {
        // It has ended, or is another user’s.
      }
    }
  }
}
