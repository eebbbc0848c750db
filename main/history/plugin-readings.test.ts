import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ManualClock } from '../../test/support/manual-clock.ts';
import { clusterName } from '../domain/target/target.ts';
import { rotationsOf, runsOfStep } from './plugin-readings.ts';
import { HistoryBench } from './testing/history-bench.ts';
import { certificateRotation, type Fields, pluginRun } from './testing/sample-events.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
let clock: ManualClock;
let bench: HistoryBench;

beforeEach(() => {
  clock = new ManualClock();
  bench = new HistoryBench(clock);
});
afterEach(() => bench[Symbol.dispose]());

const failure = { callStatus: 'plugin_execution_error', exitCode: 1, code: 'execPlugin.failed' } as const;

it('KEP-541/objectives: counts the runs of the 24 hours up to now, by plugin, cluster and hour', async () => {
  const history = bench.open();
  history.record(pluginRun({ account: 'too-old' }));
  clock.advance(1);
  history.record(pluginRun());
  clock.advance(hour);
  history.record(pluginRun(failure));
  history.record(pluginRun({ code: 'execPlugin.garbage' }));
  history.record(pluginRun({ target: null }));
  clock.advance(day - hour - 1);
  history.record(pluginRun({ account: 'gke' }));
  const of = { cluster: 'prod', failed: 0, unusable: 0 };
  expect(await history.reader.pluginRuns(clock.now())).toEqual([
    { ...of, account: 'eks', hour: 0, runs: 1 },
    { ...of, account: 'eks', cluster: null, hour: 1, runs: 1 },
    { ...of, account: 'eks', hour: 1, runs: 2, failed: 2, unusable: 1 },
    { ...of, account: 'gke', hour: 23, runs: 1 },
  ]);
  clock.advance(day);
  expect(await history.reader.pluginRuns(clock.now())).toEqual([]);
});

it('KEP-541/objectives: gives the rotations of certificates alone, newest first, up to the limit', async () => {
  const history = bench.open();
  const tokens = certificateRotation({ credential: 'token', replacedCertificateAge: null });
  for (let count = 0; count < 700; count++) {
    clock.advance(count % 3 === 0 ? minute : 0);
    history.record(certificateRotation({ previousAge: count }));
    history.record(tokens);
  }
  history.record(certificateRotation({ previousLife: null }));
  const read = async (since: number, limit: number) =>
    (await history.reader.rotations({ since, limit })).map(({ age }) => age);
  expect(await read(0, 10_000)).toEqual(Array.from({ length: 700 }, (_, index) => 699 - index));
  expect(await read(clock.now() - minute, 10_000)).toEqual([699, 698, 697, 696]);
  expect((await read(0, 250)).length).toBeLessThanOrEqual(250);
});

it.each<[string, Fields<'pluginRun'> | null, Fields<'generation'>, at: number, afterFailure: boolean]>([
  ['nothing failed', null, {}, 0, false],
  ['a run that went well', {}, {}, 0, false],
  ['a failure after the end', failure, {}, 100.5 * hour, true],
  ['a failure in the last hundredth', failure, {}, 99.5 * hour, true],
  ['a failure before that', failure, {}, 98.9 * hour, false],
  ['another plugin’s failure', { ...failure, account: 'gke' }, {}, 100.5 * hour, false],
  ['a failure for this cluster', failure, { target: clusterName('prod') }, 100.5 * hour, true],
  ['a failure for another cluster', failure, { target: clusterName('dev') }, 100.5 * hour, false],
  ['a rotation in time', failure, { previousAge: 99.9 * hour }, 99.5 * hour, false],
])(
  'KEP-541/objectives: a rotation after the end was held up by its plugin: %s',
  async (_, failed, of, at, afterFailure) => {
    const history = bench.open();
    const age = 101 * hour;
    clock.advance(at);
    if (failed) {
      history.record(pluginRun(failed));
    }
    clock.advance(age - at);
    history.record(certificateRotation({ previousAge: age, why: 'needed', ...of }));
    expect(await history.reader.rotations({ since: 0, limit: 10 })).toMatchObject([{ afterFailure }]);
  },
);

it('reads both by an index, however much else is on record', () => {
  void bench.open().dispose();
  using database = new DatabaseSync(bench.file);
  const plan = (sql: string, ...values: number[]) =>
    database
      .prepare(`EXPLAIN QUERY PLAN ${sql}`)
      .all(...values)
      .map((row) => String(row['detail']));
  expect(plan(runsOfStep, 0, 1)[0]).toBe('SEARCH plugin_runs USING INDEX plugin_runs_by_at (at>? AND at<?)');
  const rotations = plan(rotationsOf, 0, 1, 1, 1);
  expect(rotations[0]).toBe('SEARCH generations USING INDEX generations_rotations (at>? AND at<?)');
  expect(rotations).toContain('SEARCH runs USING INDEX plugin_runs_by_account (account=? AND at>? AND at<?)');
  expect(rotations.filter((step) => step.startsWith('SCAN'))).toEqual([]);
});

it.each([
  ['minutes', 10 * minute],
  ['hours', 24 * hour],
])('KEP-541/objectives: provider plugins don’t count among exec plugins over %s', async (_, span) => {
  const history = bench.open();
  history.record(pluginRun());
  history.record(pluginRun({ plugin: 'credentialProvider', account: 'ecr', target: null }));
  const of = { since: clock.now() - span + minute, until: clock.now() + minute, steps: 4 };
  const runs = async (account?: string) =>
    (await history.reader.runsOverTime({ ...of, account })).flatMap(({ counts }) =>
      counts.map((each) => each.runs),
    );
  expect([await runs(), await runs('eks'), await runs('ecr')]).toEqual([[1], [1], []]);
});
