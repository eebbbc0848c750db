import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isLong } from '../../test/support/long.ts';
import { ManualClock } from '../../test/support/manual-clock.ts';
import { callClass } from '../domain/figures/call-class.ts';
import { durationAt, durationBucket } from '../domain/figures/duration-buckets.ts';
import { clusterName, clusterOf } from '../domain/target/target.ts';
import type { CallEvent } from '../ports/history.ts';
import type { CallsQuery, Lane, LaneQuery } from '../ports/history-figures.ts';
import type { History } from './index.ts';
import { HistoryBench } from './testing/history-bench.ts';
import { callEvent, type Fields, kubectl } from './testing/sample-events.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
let clock: ManualClock;
let bench: HistoryBench;

beforeEach(() => {
  clock = new ManualClock(Date.UTC(2026, 2, 29, 0, 30));
  bench = new HistoryBench(clock);
});
afterEach(() => bench[Symbol.dispose]());

/** The same numbers for the same seed. */
function dice(seed: number): (sides: number) => number {
  let state = seed;
  return (sides) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * sides);
  };
}

type Call = CallEvent & { at: number };

/** Calls over some days, of which some come at once, and the clock is set back now and then. */
function recordCalls(history: History, seed: number, count = 1_500): Call[] {
  const roll = dice(seed);
  return Array.from({ length: count }, () => {
    // The wall clock alone: no upkeep comes between.
    clock.setWall(clock.now() + (roll(3) === 0 ? 0 : roll(9 * minute)));
    if (roll(200) === 0) {
      clock.setWall(clock.now() - roll(5 * hour));
    }
    const refused = roll(6) === 0;
    const event = callEvent({
      target: [null, ...['prod', 'prod', 'dev', ''].map(clusterName)][roll(5)] ?? null,
      account: ['corp', 'eks'][roll(2)] ?? 'corp',
      outcome: refused ? 'refused' : 'handedOut',
      reason: refused
        ? (['oidc.unreachable', 'approval.denied', 'provider.odd'][roll(3)] ?? '')
        : (['held', 'renewed', 'loggedIn'][roll(3)] ?? ''),
      microseconds: roll(4) === 0 ? roll(40) : roll(3_000_000),
      caller: { ...kubectl, executable: [null, '/usr/bin/kubectl', '/usr/bin/k9s'][roll(3)] ?? null },
    });
    history.record(event);
    return { ...event, at: clock.now() };
  });
}

const isOf = (query: Partial<CallsQuery>) => (call: Call) =>
  (query.cluster === undefined || clusterOf(call.target) === query.cluster) &&
  (query.account === undefined || call.account === query.account);

/** Each step of spans of many lengths says what the calls themselves say. */
async function expectCounted(
  history: History,
  calls: readonly Call[],
  of: Pick<CallsQuery, 'cluster' | 'account'>,
) {
  for (const [back, steps] of [
    [10 * day, 7],
    [10 * day, 400],
    [2 * day + 17 * minute, 5],
    [5 * hour, 60],
    [hour, 1],
  ] as const) {
    const query = { ...of, since: clock.now() - back, until: clock.now() + 1, steps };
    const found = await history.reader.callsOverTime(query);
    const times = await history.reader.answerTimes(query);
    expect(found[0]?.since).toBeLessThanOrEqual(query.since);
    expect(found.at(-1)?.until).toBeGreaterThanOrEqual(query.until);
    for (const [index, step] of found.entries()) {
      expect(found[index + 1]?.since ?? step.until).toBe(step.until);
      const inStep = calls.filter(({ at }) => at >= step.since && at < step.until);
      expect(step.counts.reduce((sum, { calls }) => sum + calls, 0)).toBe(inStep.length);
      for (const { class: name, reason, calls: count } of step.counts) {
        expect(
          inStep.filter((call) => call.reason === reason && callClass(call.outcome, reason) === name),
        ).toHaveLength(count);
      }
      const durations = inStep
        .filter((call) => call.outcome === 'handedOut' && call.reason !== 'loggedIn')
        .map(({ microseconds }) => microseconds);
      const counts = new Map<number, number>();
      for (const each of durations) {
        counts.set(durationBucket(each), (counts.get(durationBucket(each)) ?? 0) + 1);
      }
      expect(times[index]).toEqual({
        since: step.since,
        until: step.until,
        answers: durations.length,
        p50: durationAt(0.5, counts),
        p90: durationAt(0.9, counts),
        p99: durationAt(0.99, counts),
      });
    }
  }
}

describe.each(isLong ? [1, 2, 3] : [1])('calls of a few days, by chance (%i)', (seed) => {
  it('are counted as they lie in the file: all, a cluster’s, an account’s, those of neither', async () => {
    const history = bench.open();
    const all = recordCalls(history, seed);
    for (const of of [
      {},
      { cluster: 'prod' },
      { account: 'eks' },
      { cluster: 'dev', account: 'corp' },
      { cluster: 'x' },
    ]) {
      await expectCounted(history, all.filter(isOf(of)), of);
    }
  });

  it('tell who asked', async () => {
    const history = bench.open();
    const calls = recordCalls(history, seed).filter(({ target }) => clusterOf(target) === 'prod');
    for (const [since, until] of [
      [0, clock.now() + 1],
      [clock.now() - 3 * day, clock.now() + 1],
      [clock.now() - 3 * day, clock.now() - day],
      [clock.now() - 40 * minute, clock.now() + 1],
      [Date.UTC(2026, 2, 29, 12), clock.now() + 1],
      [Date.UTC(2026, 2, 30), Date.UTC(2026, 2, 31)],
    ] as const) {
      const inSpan = calls.filter(({ at }) => at >= since && at < until);
      const found = await history.reader.askers({ cluster: 'prod', since, until });
      expect(found.toSorted((a, b) => String(a.executable).localeCompare(String(b.executable)))).toEqual(
        ['/usr/bin/k9s', '/usr/bin/kubectl', null]
          .map((executable) => {
            const of = inSpan.filter(({ caller }) => caller.executable === executable);
            return {
              executable,
              calls: of.length,
              refused: of.filter(({ outcome }) => outcome === 'refused').length,
              lastAt: Math.max(...of.map(({ at }) => at)),
            };
          })
          .filter((each) => each.calls > 0),
      );
    }
  });
});

it('sums go when the hours that they are of are older than is kept, and stay until then', async () => {
  const history = bench.open();
  history.keep(10 * day);
  for (let count = 0; count < 30; count++) {
    history.record(callEvent({ target: clusterName(count % 3 === 0 ? 'dev' : 'prod') }));
    clock.advance(12 * hour);
  }
  for (let step = 0; step < 400; step++) {
    clock.advance(1_000);
  }
  const before = clock.now() - 10 * day;
  void history.dispose();
  using database = new DatabaseSync(bench.file);
  const one = (sql: string) => ({ ...database.prepare(sql).get() });
  const last = Math.floor(before / hour);
  expect(one(`SELECT sum(calls) AS sum FROM call_hours WHERE hour > ${last}`)).toEqual(
    one(`SELECT count(*) AS sum FROM calls WHERE at >= ${(last + 1) * hour}`),
  );
  expect(one('SELECT min(hour) AS first FROM call_hours')['first']).toBeGreaterThanOrEqual(
    Math.floor(before / hour),
  );
  expect(one('SELECT min(day) AS first FROM asker_days')['first']).toBe(Math.floor(before / day));
});

it('sums count on after all that was on record has been removed', async () => {
  const history = bench.open();
  history.keep(7 * day);
  for (let count = 0; count < 30; count++) {
    history.record(callEvent({ target: clusterName('prod') }));
  }
  for (let step = 0; step < 200; step++) {
    clock.advance(day / 20);
  }
  expect((await history.reader.events({ since: 0, limit: 10 })).events).toEqual([]);
  void history.dispose();
  const next = bench.open();
  for (let count = 0; count < 20; count++) {
    next.record(callEvent({ target: clusterName('prod') }));
  }
  const span = { since: clock.now() - 5 * day, until: clock.now() + day };
  expect(await next.reader.askers({ cluster: 'prod', ...span })).toMatchObject([{ calls: 20 }]);
  const steps = await next.reader.callsOverTime({ ...span, steps: 6 });
  expect(steps.flatMap(({ counts }) => counts).reduce((sum, { calls }) => sum + calls, 0)).toBe(20);
});

it('sums that can’t be written now are read as they are', async () => {
  const history = bench.open();
  history.record(callEvent({ target: clusterName('prod') }));
  const days = { since: clock.now() - 5 * day, until: clock.now() + 5 * day };
  const askers = () => history.reader.askers({ cluster: 'prod', ...days });
  expect(await askers()).toMatchObject([{ calls: 1 }]);
  void history.dispose();
  {
    using database = new DatabaseSync(bench.file);
    database.exec("CREATE TRIGGER full BEFORE INSERT ON call_hours BEGIN SELECT RAISE(ABORT, 'full'); END");
  }
  const later = bench.open();
  later.record(callEvent({ target: clusterName('prod') }));
  expect(await later.reader.askers({ cluster: 'prod', ...days })).toMatchObject([{ calls: 1 }]);
  later.record(callEvent({ target: clusterName('prod') }));
  expect(await later.reader.events({ since: 0, limit: 10 })).toMatchObject({ events: { length: 3 } });
});

describe('a cluster’s lane', () => {
  const generation = (fields: Fields<'generation'> = {}) => ({
    kind: 'generation' as const,
    account: 'corp',
    audience: null,
    generation: 1,
    why: 'ahead' as const,
    credential: 'token' as const,
    issuedAt: clock.now(),
    expiresAt: clock.now() + hour,
    previousAge: null,
    previousLife: null,
    replacedCertificateAge: null,
    target: null,
    ...fields,
  });
  const rejection = (fields: Fields<'rejection'> = {}) => ({
    kind: 'rejection' as const,
    account: 'corp',
    target: clusterName('prod'),
    audience: null,
    generation: 1,
    verdict: 'rejected' as const,
    action: 'renewed' as const,
    ...fields,
  });
  const renewalFailed = () => ({
    kind: 'renewal' as const,
    account: 'corp',
    audience: null,
    why: 'ahead' as const,
    outcome: 'failed' as const,
    code: 'oidc.unreachable',
    milliseconds: 5,
  });
  const lane = (history: History, fields: Partial<LaneQuery> = {}): Promise<Lane> =>
    history.reader.lane({
      account: 'corp',
      audience: null,
      cluster: 'prod',
      since: clock.now() - day,
      until: clock.now() + day,
      now: clock.now(),
      most: 100,
      ...fields,
    });
  const spans = ({ segments }: Lane, from: number) =>
    segments.map(({ from: began, until, current, count }) => [
      (began - from) / minute,
      until === null ? null : (until - from) / minute,
      current,
      count,
    ]);

  it('shows each credential until its end, or until the next came', async () => {
    const history = bench.open();
    const start = clock.now();
    history.record(generation({ why: 'loggedIn' }));
    clock.advance(50 * minute);
    history.record(generation({ generation: 2 }));
    clock.advance(90 * minute);
    history.record(generation({ generation: 3, expiresAt: null, credential: 'certificate' }));
    clock.advance(10 * minute);
    const found = await lane(history);
    expect(spans(found, start)).toEqual([
      [0, 50, false, 1],
      [50, 110, false, 1],
      [140, null, true, 1],
    ]);
    expect(found.segments.map(({ why, credential, generation }) => [why, credential, generation])).toEqual([
      ['loggedIn', 'token', 1],
      ['ahead', 'token', 2],
      ['ahead', 'certificate', 3],
    ]);
    // A segment from before is included; a later one is the end of what is shown.
    const middle = await lane(history, { since: start + 20 * minute, until: start + 30 * minute });
    expect(spans(middle, start)).toEqual([[0, 50, false, 1]]);
  });

  it('of a cluster that the credential was made for alone shows no other cluster’s', async () => {
    const history = bench.open();
    const start = clock.now();
    history.record(generation({ target: clusterName('prod') }));
    clock.advance(minute);
    history.record(generation({ target: clusterName('dev') }));
    history.record(generation({ account: 'other' }));
    history.record(generation({ audience: 'prod' }));
    expect(spans(await lane(history), start)).toEqual([[0, 60, true, 1]]);
    expect(spans(await lane(history, { cluster: 'dev' }), start)).toEqual([[1, 61, true, 1]]);
  });

  it('ends with a logout, and goes on where the broker began anew', async () => {
    const history = bench.open();
    const start = clock.now();
    const first = generation();
    history.record(first);
    clock.advance(10 * minute);
    history.record({ ...first, why: 'found' });
    clock.advance(10 * minute);
    history.record({ kind: 'logout', account: 'corp', hadSession: true, revocation: 'revoked' });
    clock.advance(minute);
    const found = await lane(history);
    expect(spans(found, start)).toEqual([[0, 20, false, 1]]);
    expect(found.marks).toEqual([{ at: start + 20 * minute, kind: 'loggedOut', code: null, count: 1 }]);
  });

  it('of a long span has no more than is asked for, the same time covered, and each mark counted', async () => {
    const history = bench.open();
    const roll = dice(7);
    const start = clock.now();
    const kinds = { rejected: 0, doubted: 0, renewalFailed: 0, loggedIn: 0 };
    for (let count = 0; count < 1_200; count++) {
      history.record(generation({ expiresAt: clock.now() + (3 + roll(6)) * minute }));
      if (count === 600) {
        clock.setWall(clock.now() + 3 * day);
      }
      clock.setWall(clock.now() + 5 * minute);
      if (roll(3) === 0) {
        history.record(renewalFailed());
        kinds.renewalFailed += 1;
      }
      if (roll(4) === 0) {
        const verdict = (['rejected', 'accepted', 'unknown'] as const)[roll(3)] ?? 'unknown';
        history.record(rejection({ verdict }));
        kinds[verdict === 'rejected' ? 'rejected' : 'doubted'] += 1;
        history.record(rejection({ target: clusterName('dev') }));
      }
    }
    const query = { since: start, until: clock.now(), now: clock.now() };
    const whole = await lane(history, { ...query, most: 2_000 });
    expect(whole.segments).toHaveLength(1_200);
    for (const most of [1, 10, 77, 500]) {
      const few = await lane(history, { ...query, most });
      expect(few.segments.length).toBeLessThanOrEqual(most);
      expect(few.segments.reduce((sum, { count }) => sum + count, 0)).toBe(1_200);
      for (const kind of ['rejected', 'doubted', 'renewalFailed'] as const) {
        const of = few.marks.filter((mark) => mark.kind === kind);
        expect(of.length).toBeLessThanOrEqual(most);
        expect(of.reduce((sum, { count }) => sum + count, 0)).toBe(kinds[kind]);
      }
      const within = (at: number) =>
        few.segments.some(({ from, until }) => at >= from && at < (until ?? Number.POSITIVE_INFINITY));
      // Nothing is lost, and the long pause is visible.
      expect(whole.segments.every(({ from }) => within(from))).toBe(true);
      expect(within(start + 601 * 5 * minute + day)).toBe(most === 1);
      expect(few.segments.at(-1)?.until).toBe(whole.segments.at(-1)?.until);
    }
  });

  it('after the clock was set back shows times as they were, and no segment ends before it begins', async () => {
    const history = bench.open();
    const roll = dice(3);
    for (let count = 0; count < 300; count++) {
      clock.setWall(clock.now() + roll(20) * minute);
      if (roll(10) === 0) {
        clock.setWall(clock.now() - roll(120) * minute);
      }
      history.record(generation());
    }
    const { segments } = await lane(history, { since: 0, until: clock.now() + day, most: 1_000 });
    expect(segments.every(({ from, until }) => until === null || until > from)).toBe(true);
    expect(segments.every(({ from }, index) => from >= (segments[index - 1]?.until ?? 0))).toBe(true);
    expect(segments.filter(({ current }) => current).length).toBeLessThanOrEqual(1);
  });
});

it('reads lanes by an index, however much else is on record', () => {
  void bench.open().dispose();
  using database = new DatabaseSync(bench.file);
  const plan = (sql: string) =>
    database
      .prepare(`EXPLAIN QUERY PLAN ${sql}`)
      .all()
      .map((row) => String(row['detail']));
  const order = 'AND at >= 1 AND at < 2 ORDER BY at, id LIMIT 1';
  expect(plan(`SELECT id, at, why FROM generations WHERE grant_id = 1 AND target IS NULL ${order}`)).toEqual([
    'SEARCH generations USING INDEX generations_by_grant (grant_id=? AND target=? AND at>? AND at<?)',
  ]);
  expect(plan(`SELECT id, at FROM renewals WHERE grant_id = 1 AND outcome = 'failed' ${order}`)).toEqual([
    'SEARCH renewals USING COVERING INDEX renewals_failed (grant_id=? AND at>? AND at<?)',
  ]);
  for (const [table, column, index] of [
    ['rejections', 'target', 'rejections_by_cluster'],
    ['logins', 'account', 'logins_by_account'],
    ['logouts', 'account', 'logouts_by_account'],
  ]) {
    expect(plan(`SELECT id, at FROM ${table} WHERE ${column} = 'x' ${order}`)).toEqual([
      expect.stringMatching(`^SEARCH ${table} USING .*INDEX ${index} `),
    ]);
  }
});
