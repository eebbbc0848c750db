import { afterEach, beforeEach, expect, it } from 'vitest';
import { ManualClock } from '../../test/support/manual-clock.ts';
import { clusterName } from '../domain/target/target.ts';
import type { PastCall } from '../ports/history-reader.ts';
import type { History } from './index.ts';
import { HistoryBench } from './testing/history-bench.ts';
import { callEvent } from './testing/sample-events.ts';

let clock: ManualClock;
let bench: HistoryBench;
let history: History;

beforeEach(() => {
  clock = new ManualClock(Date.UTC(2026, 2, 29));
  bench = new HistoryBench(clock);
  history = bench.open();
});
afterEach(() => bench[Symbol.dispose]());

const record = (fields: Parameters<typeof callEvent>[0]) => history.record(callEvent(fields));

async function callsSince(since: number): Promise<PastCall[]> {
  const found: PastCall[] = [];
  await history.reader.callsSince(since, (calls) => found.push(...calls));
  return found;
}

it('gives the last call of each cluster that has one, by its time', async () => {
  record({ target: clusterName('prod'), reason: 'held' });
  clock.setWall(clock.now() + 1000);
  record({ target: clusterName('prod'), reason: 'renewed' });
  record({ target: clusterName('dev'), reason: 'loggedIn' });
  record({ target: null, reason: 'held' });
  const names = ['prod', 'dev', 'never', ...Array.from({ length: 120 }, (_, index) => `c${index}`)];
  const found = await history.reader.lastCalls(names);
  expect([...found].map(([name, { event }]) => [name, 'reason' in event && event.reason])).toEqual([
    ['prod', 'renewed'],
    ['dev', 'loggedIn'],
  ]);
});

it('finds a cluster behind many others', async () => {
  record({ target: clusterName('c119') });
  const names = Array.from({ length: 120 }, (_, index) => `c${index}`);
  expect([...(await history.reader.lastCalls(names)).keys()]).toEqual(['c119']);
});

it('gives all calls from then on, each once, oldest first, also many of one moment', async () => {
  record({ reason: 'before' });
  clock.setWall(clock.now() + 1000);
  const since = clock.now();
  for (let index = 0; index < 2_100; index++) {
    record({ microseconds: index });
    if (index === 2_050) {
      clock.setWall(clock.now() + 1);
    }
  }
  const found = await callsSince(since);
  expect(found.map(({ microseconds }) => microseconds)).toEqual(
    Array.from({ length: 2_100 }, (_, index) => index),
  );
  expect(found[0]).toEqual({ id: 2, at: since, outcome: 'handedOut', reason: 'held', microseconds: 0 });
});
