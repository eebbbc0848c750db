import { setTimeout as delay } from 'node:timers/promises';
import { decodeJwt } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readKeptHistory } from '../support/kept-history.ts';
import { execVersion, findKubectls } from '../support/kubectl.ts';
import { isLong } from '../support/long.ts';
import { type ClientEvent, clusterNames, startLongLived } from '../support/long-lived.ts';
import { credentialIn, Stage, until } from '../support/stage.ts';
import { RotationLedger } from '../support/storm-ledger.ts';
import { seededRandom } from '../support/storm-random.ts';

/**
 * A day at ten times its speed: tokens of 6 s for those of a minute, three in ten of the provider's answers an error
 * and more of them 5 s late, a broker that is killed or stopped for a while at random moments, many callers at a
 * time. The short form ends after one kill and one stop. A machine can't be put to sleep here: the broker is stopped (SIGSTOP) and goes on; clocks that jump are in
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
const size = isLong
  ? { milliseconds: 420_000, clusters: 6, callers: 9, limitMilliseconds: 3_600_000 }
  : { milliseconds: 0, clusters: 3, callers: 3, limitMilliseconds: 600_000 };
/** As much has to have been done, however long that takes. */
const least = isLong
  ? { handedOut: 5_000, listed: 50, requests: 3_000, renewed: 50, kills: 11, stops: 11 }
  : { handedOut: 40, listed: 3, requests: 60, renewed: 2, kills: 1, stops: 1 };
const seed = Number(process.env['LANYARD_SEED']);
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
const areRenewed = () => stage.provider.refreshes.filter(({ status }) => status === 200);
const done = { kills: 0, stops: 0 };

function isEnough(): boolean {
  return (
    areHandedOut().length > least.handedOut &&
    areListed().length > least.listed &&
    areGood().length > least.requests &&
    areRenewed().length >= least.renewed &&
    done.kills >= least.kills &&
    done.stops >= least.stops
  );
}

/** Kills, and stops of a few seconds, one at a time, at random moments; in the short form, one of each. */
async function trouble(random: () => number): Promise<void> {
  for (;;) {
    const before = areHandedOut().length;
    await delay(random() * (isLong ? 6_000 : 1_000));
    if (isLong) {
      await delay(3_000);
    } else {
      await until(() => (areHandedOut().length > before + 10 ? true : null), 'some calls');
    }
    if (ended) {
      return;
    }
    const gone = { from: Date.now(), to: Number.POSITIVE_INFINITY };
    away.push(gone);
    const { agent } = stage;
    if (done.kills <= done.stops) {
      done.kills += 1;
      await agent.kill();
      ledger.brokerEnded(agent.log());
      await stage.startAgent();
      ledger.brokerStarted();
    } else {
      process.kill(agent.pid, 'SIGSTOP');
      await delay(2_000 + random() * 3_000);
      process.kill(agent.pid, 'SIGCONT');
      done.stops += 1;
    }
    await stage.status();
    gone.to = Date.now();
    if (!isLong && done.stops === 1) {
      return;
    }
  }
}

describe(`a day of ${isLong ? '420 s' : 'a few tokens'} (LANYARD_SEED=${seed})`, () => {
  beforeAll(async () => {
    const random = seededRandom(seed);
    const names = clusterNames(size.clusters);
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
      clusters: names.slice(0, size.clusters - 2),
      perLoad: true,
      pauseMilliseconds: 700,
    });
    const troubling = trouble(random);
    // Told below.
    troubling.catch(() => {
      ended = true;
    });
    const short = Array.from({ length: size.callers }, (_, index) =>
      repeat(600, random, () => asShortCaller(names[index % names.length] ?? '')),
    );
    const listing = repeat(1_000, random, async () => {
      const from = Date.now();
      const args = ['--context', 'c0', 'get', 'pods'];
      const { code, stderr } = await stage.kubectl(kubectl, kubeconfig, args);
      calls.push({ from, to: Date.now(), code, stderr, ends: null, isKubectl: true });
    });
    await delay(size.milliseconds);
    while (!isEnough() && !ended) {
      await delay(100);
    }
    ended = true;
    await troubling;
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
  }, size.limitMilliseconds);
  afterAll(() => stage?.dispose());

  const tell = (text: string) => (isLong ? console.info(text) : undefined);

  test('not one call fails that had a live credential', () => {
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
    tell(
      `${handedOut.length} handed out, ${failed.length} refused without a live credential, ${calls.length} calls`,
    );
  });

  test('a call that fails is told why, and is never told to log in', () => {
    for (const { code, stderr } of calls.filter(
      (call) => call.code !== 0 && !call.isKubectl && !wasAway(call),
    )) {
      // 12 timed out, 16 provider
      expect([12, 16], stderr).toContain(code);
    }
  });

  test('KEP-541/valid-or-error: no expired token is issued; nothing is renewed for a 401 that no client saw', async () => {
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
    const refused = stage.api.requests.filter(({ status }) => status === 401);
    // One that ends on its way is said to have ended by the cluster itself.
    expect(refused.filter(({ token, why }) => token !== null && !why?.includes('"exp" claim'))).toEqual([]);
    tell(`${refused.length} tokens ended on their way, ${stage.api.requests.length} requests`);
    expect(areGood().length).toBeGreaterThan(least.requests);
    const answered = requests.filter(({ status }) => status !== 200 && status !== 401);
    expect(answered).toEqual([]);
  });

  test('one login page, and each refresh token is used as it should be', () => {
    expect(stage.provider.counts.requests.device_authorization).toBe(1);
    expect(stage.provider.refreshes.filter(({ status }) => status !== 200)).toEqual([]);
    // The grace is the provider's: what is asked for again was never read.
    const problems = ledger.problems().filter((each) => !each.endsWith('the provider took an old token'));
    expect(problems).toEqual([]);
  });
});
