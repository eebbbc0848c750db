import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ManualClock } from '../../../../test/support/manual-clock.ts';
import { activityKinds } from '../../../contract/ui/activity-kinds.ts';
import type { ActivityEvent, ActivityFilter } from '../../../contract/ui/calls/activity.ts';
import { clusterName } from '../../../domain/target/target.ts';
import type { History } from '../../../history/index.ts';
import { HistoryBench } from '../../../history/testing/history-bench.ts';
import { callEvent, kubectl, oneOfEach, requestEvent } from '../../../history/testing/sample-events.ts';
import { createActivityCalls } from './activity-calls.ts';

let clock: ManualClock;
let bench: HistoryBench;
let history: History;
let calls: ReturnType<typeof createActivityCalls>;
const all: ActivityFilter = { since: 0 };
const helm = { ...kubectl, executable: '/opt/helm' };

beforeEach(() => {
  clock = new ManualClock();
  bench = new HistoryBench(clock);
  history = bench.open();
  calls = createActivityCalls({ history, clock, contextsOf: () => new Set(['dev']) });
});
afterEach(() => bench[Symbol.dispose]());

const context = <Value>(told: Value[] = [], signal = new AbortController().signal) => ({
  signal,
  progress: (value: Value) => void told.push(value),
});
const query = (filter: ActivityFilter, limit = 50, before?: { at: number; id: number }) =>
  calls['activity.query']({ filter, limit, ...(before && { before }) }, context<never>());

describe('the record, in words', () => {
  it('tells every kind of event, newest first, without a code where words do', async () => {
    for (const event of oneOfEach) {
      history.record(event);
    }
    const { events, next } = await query(all);
    expect(next).toBeNull();
    expect(events.map(({ id }) => id)).toEqual(oneOfEach.map((_, index) => oneOfEach.length - index));
    for (const { result } of events) {
      expect(result).not.toMatch(/undefined|null|\[object/);
      expect(result).not.toBe('');
    }
    expect(new Set(events.map(({ kind }) => kind))).toEqual(new Set(activityKinds));
  });

  it('comes in pages that miss nothing and tell nothing twice, also of the same moment', async () => {
    for (let index = 0; index < 25; index++) {
      history.record(callEvent({ microseconds: index }));
      if (index % 10 === 9) {
        clock.advance(1000);
      }
    }
    const ids: number[] = [];
    let before: { at: number; id: number } | null | undefined;
    do {
      const page = await query(all, 4, before ?? undefined);
      ids.push(...page.events.map(({ id }) => id));
      before = page.next;
    } while (before);
    expect(ids).toEqual(Array.from({ length: 25 }, (_, index) => 25 - index));
  });

  it.each<[string, Partial<ActivityFilter>, string[]]>([
    ['a cluster', { cluster: 'dev' }, ['helm dev']],
    ['an account', { account: 'ops' }, ['helm dev']],
    ['a program', { program: 'kubectl' }, ['kubectl prod', 'kubectl prod', 'kubectl prod']],
    ['what was refused', { decision: 'refused' }, ['kubectl prod']],
    ['a kind', { kinds: ['lock'] }, [' ']],
    ['a door', { door: 'cli' }, []],
    ['words', { search: 'HELM ops' }, ['helm dev']],
    ['words of a request’s path', { search: 'kubectl canary' }, ['kubectl prod']],
    ['an inventory, with the clusters of its profiles', { inventory: 'fleet' }, [' ', ' ', 'helm dev']],
  ])('shows by %s alone', async (_, filter, expected) => {
    history.record(callEvent());
    history.record(callEvent({ outcome: 'refused', reason: 'approval.denied' }));
    history.record(callEvent({ caller: helm, target: clusterName('dev'), account: 'ops' }));
    history.record(requestEvent({ path: '/api/v1/canary' }));
    history.record({ kind: 'lock', what: 'locked', why: 'idle' });
    history.record({ kind: 'change', what: 'inventory.use', name: 'prod' });
    history.record({ kind: 'change', what: 'inventory.use', name: 'dev' });
    const fault = { what: 'failing', code: 'file', profiles: 0, context: null } as const;
    history.record({ kind: 'inventory', inventory: 'fleet', ...fault });
    history.record({ kind: 'inventory', inventory: 'other', ...fault });
    const { events } = await query({ ...all, ...filter });
    const brief = (event: ActivityEvent) => {
      const program = event.details.find(([label]) => label === 'Program')?.[1];
      return `${program?.split('/').at(-1) ?? ''} ${event.cluster ?? ''}`;
    };
    expect(events.map(brief)).toEqual(expected);
  });

  it('ends where the filter’s time ends', async () => {
    history.record(callEvent());
    const first = clock.now();
    clock.advance(5000);
    history.record(callEvent());
    expect((await query({ since: 0, until: first + 1000 })).events).toHaveLength(1);
    expect((await query({ since: first + 1000 })).events).toHaveLength(1);
  });
});

describe('following', () => {
  it('tells what is recorded and shown by the filter, together, until the page leaves', async () => {
    const told: { events: ActivityEvent[]; missed: boolean }[] = [];
    const leaving = new AbortController();
    const following = calls['activity.follow'](
      { filter: { ...all, program: 'helm' } },
      context(told, leaving.signal),
    ).catch(() => 'left');
    history.record(callEvent());
    history.record(callEvent({ caller: helm }));
    history.record(callEvent({ caller: helm }));
    expect(told).toEqual([]);
    clock.advance(100);
    expect(told.map(({ events }) => events.map(({ id }) => id))).toEqual([[2, 3]]);
    leaving.abort();
    expect(await following).toBe('left');
    history.record(callEvent({ caller: helm }));
    clock.advance(100);
    expect(told).toHaveLength(1);
  });

  it('says that it left out some where too much happens at once', async () => {
    const told: { events: ActivityEvent[]; missed: boolean }[] = [];
    const leaving = new AbortController();
    const following = calls['activity.follow']({ filter: all }, context(told, leaving.signal)).catch(
      () => '',
    );
    for (let index = 0; index < 201; index++) {
      history.record(callEvent());
    }
    clock.advance(100);
    expect(told[0]?.events).toHaveLength(200);
    expect(told[0]?.missed).toBe(true);
    leaving.abort();
    await following;
  });
});

it('exports lines of JSON as lanyard audit prints them, in pieces', async () => {
  for (let index = 0; index < 600; index++) {
    history.record(callEvent({ microseconds: index }));
  }
  const told: { text: string }[] = [];
  expect(await calls['activity.export']({ filter: all }, context(told))).toEqual({ events: 600, cut: false });
  expect(told.length).toBeGreaterThan(1);
  const lines = told.flatMap(({ text }) => text.trimEnd().split('\n')).map((line) => JSON.parse(line));
  expect(lines).toHaveLength(600);
  expect(lines[0]).toMatchObject({ id: 600, kind: 'call', cluster: 'prod', caller: { pid: kubectl.pid } });
});
