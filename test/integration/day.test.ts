import { setTimeout as delay } from 'node:timers/promises';
import { decodeJwt } from 'jose';
import { afterAll, beforeAll, describe, expect, onTestFailed, test } from 'vitest';
import { readKeptHistory } from '../support/kept-history.ts';
import { execVersion, findKubectls } from '../support/kubectl.ts';
import { type ClientEvent, clusterNames, startLongLived } from '../support/long-lived.ts';
import { credentialIn, Stage } from '../support/stage.ts';
import { RotationLedger } from '../support/storm-ledger.ts';
import { seededRandom } from '../support/storm-random.ts';

/**
 * A day at ten times its speed: tokens of 6 s for those of a minute, three in ten of the provider's answers an error
 * and more of them 5 s late, a broker that is killed or stopped for a while at random moments, twenty callers at a
 * time. A machine can't be put to sleep here: the broker is stopped (SIGSTOP) and goes on; clocks that jump are in
 * main/access/races.real.test.ts and main/grants/renewals-ahead.test.ts.
 *
 * The margin is 0.6 s then, and the broker's waits after an error are those of a real day: so it is often without a
 * token, and calls then wait or are refused, as they should be. What may not be: a call that fails though there was
 * a live token, that is
 * - one was printed by an earlier call, and it lived on when this call ended; or it had a whole second left when
 *   this call began (with less, a renewal is waited for, and the token may end meanwhile);
 * - the broker ran and wasn't stopped from the call's begin to its end. A call that met a kill is made again once,
 *   as a person would do it, and counts then as any other.
 */
const isLong = process.env['LANYARD_DAY'] === '1';
const runMilliseconds = isLong ? 420_000 : 40_000;
/** As much has to have been done; a busy machine takes longer than the run for it, up to `moreMilliseconds`. */
const least = isLong
  ? { handedOut: 5_000, listed: 50, requests: 3_000 }
  : { handedOut: 200, listed: 5, requests: 200 };
const moreMilliseconds = 60_000;
const limitMilliseconds = runMilliseconds + moreMilliseconds + 120_000;
const seed = Number(process.env['LANYARD_SEED'] ?? Math.floor(Math.random() * 2 ** 32));
const lifeSeconds = 6;
const usableMilliseconds = 1_000;

interface Call {
  from: number;
  to: number;
  code: number | null;
  stderr: string;
  /** The end of the token that was handed out; null where none was. */
  ends: number | null;
  /** Kubectl takes its time after it has its token: for it the live token is one that lived on when it ended. */
  isKubectl?: boolean;
}

/** When the broker was away: from the signal until it answered again. */
const away: { from: number; to: number }[] = [];
const calls: Call[] = [];
const requests: Extract<ClientEvent, { kind: 'request' }>[] = [];
let stage: Stage;
let ledger: RotationLedger;
let ended = false;

const wasAway = ({ from, to }: Pick<Call, 'from' | 'to'>) =>
  away.some((each) => each.from <= to && each.to >= from);

async function asShortCaller(cluster: string): Promise<void> {
  const once = async (): Promise<Call> => {
    const from = Date.now();
    const done = await stage.ask('corp', stage.execInfo(), { args: ['--cluster', cluster] });
    const ends = done.code === 0 ? endOf(credentialIn(done).token ?? '') : null;
    return { from, to: Date.now(), code: done.code, stderr: done.stderr, ends };
  };
  let call = await once();
  if (call.code !== 0 && wasAway(call)) {
    await brokerBack();
    call = await once();
  }
  calls.push(call);
}

function endOf(token: string): number {
  return (decodeJwt(token).exp ?? 0) * 1000;
}

async function brokerBack(): Promise<void> {
  while (away.some(({ to }) => to === Number.POSITIVE_INFINITY)) {
    await delay(20);
  }
}

async function repeat(pauseMilliseconds: number, random: () => number, act: () => Promise<unknown>) {
  while (!ended) {
    await act();
    await delay(pauseMilliseconds * (0.5 + random()));
  }
}

const areHandedOut = () => calls.filter(({ ends }) => ends !== null);
const areListed = () => calls.filter(({ code, isKubectl }) => isKubectl && code === 0);
const areGood = () => stage.api.requests.filter(({ status }) => status === 200);

function isEnough(): boolean {
  return (
    areHandedOut().length > least.handedOut &&
    areListed().length > least.listed &&
    areGood().length > least.requests
  );
}

/** Kills, and stops of a few seconds, one at a time, at random moments. */
async function trouble(random: () => number): Promise<{ kills: number; stops: number }> {
  const counts = { kills: 0, stops: 0 };
  for (;;) {
    await delay(3_000 + random() * 6_000);
    if (ended) {
      return counts;
    }
    const gone = { from: Date.now(), to: Number.POSITIVE_INFINITY };
    away.push(gone);
    const { agent } = stage;
    if (counts.kills <= counts.stops) {
      counts.kills += 1;
      await agent.kill();
      ledger.brokerEnded(agent.log());
      await stage.startAgent();
      ledger.brokerStarted();
    } else {
      counts.stops += 1;
      process.kill(agent.pid, 'SIGSTOP');
      await delay(2_000 + random() * 3_000);
      process.kill(agent.pid, 'SIGCONT');
    }
    await stage.status();
    gone.to = Date.now();
  }
}

describe(`a day of ${runMilliseconds / 1000} s`, () => {
  let done: { kills: number; stops: number };

  beforeAll(async () => {
    const random = seededRandom(seed);
    const names = clusterNames(6);
    stage = await Stage.open({
      provider: { lifetimes: { idTokenSeconds: lifeSeconds } },
      extend: (config) => {
        for (const name of names) {
          config.clusters[name] = { ...config.clusters['prod'] };
        }
      },
    });
    ledger = new RotationLedger(stage.provider.refreshes);
    // As Okta and Auth0 do it: an answer that a killed broker never read may be asked for again for a while.
    stage.provider.reuse = { graceSeconds: 60, after: 'family' };
    await stage.logIn();
    ledger.loggedIn();
    const kubectl = findKubectls().newest;
    const kubeconfig = await stage.writeKubeconfig(execVersion(kubectl));
    stage.provider.setChaos({
      seed,
      errorRate: 0.3,
      stallRate: 0.1,
      stallMilliseconds: 5_000,
      // Not its keys: the cluster fetches them as well, and has nothing to do with this.
      endpoints: ['discovery', 'device_authorization', 'token'],
    });

    const k9s = startLongLived(stage, { clusters: names, perLoad: false, pauseMilliseconds: 500 });
    const python = startLongLived(stage, {
      clusters: names.slice(0, 4),
      perLoad: true,
      pauseMilliseconds: 700,
    });
    const troubling = trouble(random);
    troubling.catch(() => undefined);
    const short = Array.from({ length: 9 }, (_, index) =>
      repeat(600, random, () => asShortCaller(names[index % names.length] ?? '')),
    );
    const listing = repeat(1_000, random, async () => {
      const from = Date.now();
      const args = ['--context', 'c0', 'get', 'pods'];
      const { code, stderr } = await stage.kubectl(kubectl, kubeconfig, args);
      calls.push({ from, to: Date.now(), code, stderr, ends: null, isKubectl: true });
    });
    await delay(runMilliseconds);
    for (const limit = performance.now() + moreMilliseconds; !isEnough() && performance.now() < limit; ) {
      await delay(500);
    }
    ended = true;
    done = await troubling;
    const [ofK9s, ofPython] = await Promise.all([k9s.stop(), python.stop()]);
    await Promise.all([...short, listing]);
    for (const event of [...ofK9s, ...ofPython]) {
      if (event.kind === 'asked') {
        calls.push(event);
      } else {
        requests.push(event);
      }
    }
    stage.provider.setChaos(null);
  }, limitMilliseconds);
  afterAll(() => stage?.dispose());

  const tell = (text: string) => (isLong ? console.info(text) : undefined);
  const tellSeed = () => onTestFailed(() => console.error(`LANYARD_SEED=${seed}`));

  test('not one call fails that had a live credential', () => {
    tellSeed();
    const handedOut = areHandedOut().sort((a, b) => a.to - b.to);
    const liveUntil = (moment: number) =>
      Math.max(0, ...handedOut.filter(({ to }) => to <= moment).map(({ ends }) => ends ?? 0));
    const failed = calls.filter((call) => call.code !== 0 && !wasAway(call));
    const wronged = failed.filter(
      ({ from, to, isKubectl }) =>
        liveUntil(from) > to || (!isKubectl && liveUntil(from) - usableMilliseconds > from),
    );
    expect(wronged).toEqual([]);
    expect(handedOut.length).toBeGreaterThan(least.handedOut);
    expect(areListed().length).toBeGreaterThan(least.listed);
    expect(done.kills).toBeGreaterThan(isLong ? 10 : 0);
    expect(done.stops).toBeGreaterThan(isLong ? 10 : 0);
    tell(
      `${handedOut.length} handed out, ${failed.length} refused without a live credential, ${calls.length} calls`,
    );
  });

  test('a call that fails is told why, and is never told to log in', () => {
    tellSeed();
    for (const { code, stderr } of calls.filter(
      (call) => call.code !== 0 && !call.isKubectl && !wasAway(call),
    )) {
      // 12 timed out, 16 provider
      expect([12, 16], stderr).toContain(code);
    }
  });

  test('KEP-541/valid-or-error: no expired token is issued; nothing is renewed for a 401 that no client saw', async () => {
    tellSeed();
    expect(calls.filter(({ ends, from }) => ends !== null && ends <= from)).toEqual([]);
    await stage.agent.stop();
    const kept = readKeptHistory(stage);
    expect(kept.handedOut.filter(({ at, ends }) => ends <= at)).toEqual([]);
    expect(kept.rejections.filter(({ verdict }) => verdict === 'rejected')).toEqual([]);
    // A cluster that didn't answer in time is no 401, and renews once a minute at the most (rule: inferred-401).
    const blind = kept.renewals.filter(({ why }) => why === 'rejected').length;
    expect(kept.rejections.filter(({ action }) => action === 'renewed').length).toBeLessThanOrEqual(blind);
    expect(blind).toBeLessThanOrEqual(done.stops + done.kills);
    const count = (how: string) => kept.handedOut.filter((each) => each.how === how).length;
    const waited = kept.handedOut.filter(({ milliseconds }) => milliseconds > 100).length;
    tell(
      `held ${count('held')}, renewed ${count('renewed')}, over 100 ms ${waited}, refused ${kept.refused.length}, suspected 401s ${kept.rejections.length}`,
    );
    const renewals = Map.groupBy(kept.renewals, ({ why, outcome }) => `${why} ${outcome}`);
    tell([...renewals].map(([name, { length }]) => `${name} ${length}`).join(', '));
  });

  test('the cluster says 401 to no token that lives', () => {
    tellSeed();
    const refused = stage.api.requests.filter(({ status }) => status === 401);
    // One that ends on its way is said to have ended by the cluster itself.
    expect(refused.filter(({ token, why }) => token !== null && !why?.includes('"exp" claim'))).toEqual([]);
    tell(`${refused.length} tokens ended on their way, ${stage.api.requests.length} requests`);
    expect(areGood().length).toBeGreaterThan(least.requests);
    const answered = requests.filter(({ status }) => status !== 200 && status !== 401);
    expect(answered).toEqual([]);
  });

  test('one login page, and each refresh token is used as it should be', () => {
    tellSeed();
    expect(stage.provider.counts.requests.device_authorization).toBe(1);
    expect(stage.provider.refreshes.filter(({ status }) => status !== 200)).toEqual([]);
    // The grace is the provider's: what is asked for again was never read.
    const problems = ledger.problems().filter((each) => !each.endsWith('the provider took an old token'));
    expect(problems).toEqual([]);
  });
});
