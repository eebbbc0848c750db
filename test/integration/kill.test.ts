import { watch } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { exitCodes } from '../../main/contract/exit-codes.ts';
import { isLong } from '../support/long.ts';
import type { Ended } from '../support/processes.ts';
import { type SecretService, startSecretService } from '../support/secret-service.ts';
import { type Storm, setUpStorm, tokenIn, until } from '../support/storm.ts';
import { RotationLedger } from '../support/storm-ledger.ts';
import { seededRandom } from '../support/storm-random.ts';

/** With real parts (rule: nothing-lost): whatever moment the broker dies at, no refresh token is lost or used twice. */
const rounds = isLong ? 200 : 3;
const seed = Number(process.env['LANYARD_SEED']);

/**
 * Id tokens of ten minutes that were issued long ago, as far as they say: the last seconds of their life are
 * within the margin, so each call renews first, and gets a token that is still good.
 */
const lifeSeconds = 600;
const leftSeconds = 4;

let keyring: SecretService;
let storm: Storm;
let ledger: RotationLedger;
let late: Disposable;
/** How many the provider had seen as this broker began. */
let refreshesAtStart = 0;

/** For all tests of this file: not a spy, which ends with each. */
function tellTimeLate(): Disposable {
  const now = Date.now;
  Date.now = () => now() - (lifeSeconds - leftSeconds) * 1000;
  return {
    [Symbol.dispose]() {
      Date.now = now;
    },
  };
}

async function startBroker(): Promise<void> {
  await storm.startAgent();
  refreshesAtStart = storm.provider.refreshes.length;
  // Only now: what the killed one had still sent has reached the provider meanwhile, and counts as its own.
  ledger.brokerStarted();
  expect((await storm.status()).vault.kind).toBe('open');
}

async function killBroker(): Promise<void> {
  const agent = storm.agent();
  const { signal } = await agent.kill();
  expect(signal, agent.log()).toBe('SIGKILL');
  ledger.brokerEnded(agent.log());
}

async function logIn(): Promise<void> {
  await storm.logIn();
  ledger.loggedIn();
}

/** Notes what a caller got; all it may see is a token, a broker that died, and a machine too slow for the token. */
function note({ code, stdout, stderr }: Ended): void {
  if (code === exitCodes.good) {
    ledger.handedOut(tokenIn(stdout) ?? '');
  } else if (code === exitCodes.provider) {
    expect(stderr).toMatch(/already ended|ended while/);
  } else {
    expect(stderr).toMatch(/no agent|ended the connection/);
    expect([exitCodes.unreachable, exitCodes.internal]).toContain(code);
  }
}

/** The provider took a token whose answer was lost: that is said once, quietly, until a person logs in. */
async function expectInterrupted(calls: number): Promise<void> {
  const { requests } = storm.provider.counts;
  const before = { ...requests };
  expect(await storm.account()).toMatchObject({ state: 'interrupted' });
  for (let call = 0; call < calls; call += 1) {
    const { code, stderr } = await storm.caller().ended;
    expect([exitCodes.good, exitCodes.loginNeeded], stderr).toContain(code);
  }
  expect(requests).toEqual(before);
}

/**
 * The first call after a start: one request to the provider, with the new token or, once, the old one. A renewal ahead
 * of need may follow it: the tokens have seconds to live.
 */
async function firstCall(calls: number): Promise<'kept' | 'lost'> {
  const { refreshes } = storm.provider;
  const before = refreshes.length;
  const first = await storm.caller().ended;
  expect(refreshes.length, `${first.stderr}${storm.agent().log()}`).toBeGreaterThan(before);
  expect(ledger.problems()).toEqual([]);
  if (refreshes[before]?.status === 200) {
    note(first);
    return 'kept';
  }
  await expectInterrupted(calls);
  return 'lost';
}

describe('kill -9 of the broker while tokens rotate', () => {
  beforeAll(async () => {
    keyring = await startSecretService();
    late = tellTimeLate();
    storm = await setUpStorm({ lifetimes: { idTokenSeconds: lifeSeconds }, keychain: keyring.env });
    ledger = new RotationLedger(storm.provider.refreshes);
    await logIn();
  });
  afterAll(async () => {
    late?.[Symbol.dispose]();
    await storm?.dispose();
    await keyring?.[Symbol.asyncDispose]();
  });
  // One that failed halfway is not the next one's business.
  beforeEach(async () => {
    storm.provider.clearFaults();
    if (!storm.agent().isRunning()) {
      await startBroker();
    }
    if ((await storm.account()).state !== 'ready') {
      await logIn();
    }
  });

  test(`at ${rounds} random moments (LANYARD_SEED=${seed})`, { timeout: 3_600_000 }, async () => {
    const random = seededRandom(seed);
    for (let round = 0; round < rounds; round += 1) {
      const agent = storm.agent();
      const called: Ended[] = [];
      const calling = (async () => {
        while (agent.isRunning()) {
          called.push(await storm.caller().ended);
        }
      })();
      await delay(random() * 150);
      await killBroker();
      await calling;
      called.forEach(note);
      await startBroker();
      if ((await firstCall(2)) === 'lost') {
        await logIn();
      }
    }
    expect(ledger.problems()).toEqual([]);
  });

  /** What a moment waits for, once `fault` is in force and a call has begun. */
  interface Aim {
    at: string;
    fault?: Parameters<Storm['provider']['setFault']>[1];
    moment(call: Promise<Ended>): Promise<unknown>;
    outcome: 'kept' | 'lost' | 'either';
    /** A renewal has ended by then; on a busy machine the next one may have begun before the kill. */
    after?: true;
  }
  const vaultWritten = (times: number) => () =>
    new Promise<void>((resolve) => {
      let seen = 0;
      const watcher = watch(storm.home.path, (event, name) => {
        seen += event === 'rename' && name === 'vault' ? 1 : 0;
        if (seen === times) {
          watcher.close();
          resolve();
        }
      });
    });
  const aims: Aim[] = [
    {
      at: 'before the provider takes the token',
      fault: { kind: 'slow', milliseconds: 60_000 },
      moment: () => {
        const before = storm.provider.counts.requests.token;
        return until('the request', () => storm.provider.counts.requests.token > before);
      },
      outcome: 'kept',
    },
    {
      at: 'after the provider took the token, before it answered',
      fault: { kind: 'slow', milliseconds: 60_000, when: 'after' },
      moment: () => {
        const before = storm.provider.refreshes.length;
        return until('the use of the token', () => storm.provider.refreshes.length > before);
      },
      outcome: 'lost',
    },
    {
      at: 'as the provider has sent its answer',
      moment: () => {
        const before = storm.provider.refreshes.length;
        return until('the answer', () => (storm.provider.refreshes[before]?.sentAt ?? null) !== null);
      },
      outcome: 'either',
    },
    {
      at: 'as the answer is on disk',
      moment: () => {
        const lines = () => storm.agent().log().split('"oidc.refreshed"').length;
        const before = lines();
        return until('the line in the log', () => lines() > before);
      },
      outcome: 'kept',
      after: true,
    },
    { at: 'as a helper has its token', moment: (call) => call, outcome: 'kept', after: true },
    { at: 'as the intent is written', moment: vaultWritten(1), outcome: 'either' },
    { at: 'as the answer is written', moment: vaultWritten(2), outcome: 'kept' },
  ];

  /** The provider took a token of this broker's whose answer its log doesn't tell. */
  const isRefreshUnderWay = (log: string) => {
    const taken = storm.provider.refreshes.slice(refreshesAtStart).filter(({ status }) => status === 200);
    return taken.length > log.split('"oidc.refreshed"').length - 1;
  };
  const each = (isLong ? [...aims, ...aims.slice(0, 3)] : aims).map(
    (aim) => [aim.at, aim.outcome, aim] as const,
  );
  test.each(each)('%s: %s', async (_at, outcome, { fault, moment, after }) => {
    await until('a warm broker', async () => (await storm.caller().ended).code === exitCodes.good);
    if (fault) {
      storm.provider.setFault('token', fault);
    }
    const begin = Promise.withResolvers<Ended>();
    const reached = moment(begin.promise);
    const caller = storm.caller();
    caller.ended.then(begin.resolve, begin.reject);
    await reached;
    const killed = storm.agent();
    await killBroker();
    note(await caller.ended);
    const isNextUnderWay = after === true && isRefreshUnderWay(killed.log());
    storm.provider.clearFaults();
    await startBroker();
    const found = await firstCall(10);
    expect([found, 'either']).toContain(isNextUnderWay ? 'either' : outcome);
    if (found === 'lost') {
      await expectQuietEnd();
      await logIn();
      note(await storm.caller().ended);
    }
    expect((await storm.account()).state).toBe('ready');
    expect(ledger.problems()).toEqual([]);
  });

  /** Once the token that was held has ended: one refusal that says what to do, after another start as well. */
  async function expectQuietEnd(): Promise<void> {
    for (const start of [async () => undefined, async () => killBroker().then(startBroker)]) {
      await start();
      const { expiresAt } = await storm.account();
      await until('its time', () => (expiresAt ?? 0) < performance.timeOrigin + performance.now());
      const refused = await until('the end of the token', async () => {
        const ended = await storm.caller().ended;
        return ended.code === exitCodes.good ? null : ended;
      });
      expect(refused.code).toBe(exitCodes.loginNeeded);
      expect(refused.stderr).toMatch(/^lanyard: .*interrupted.*\n(hint: .*lanyard login corp\n)?$/);
      expect(refused.stderr).toContain('lanyard login corp');
      await expectInterrupted(5);
    }
  }
});
