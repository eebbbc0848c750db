import { expect, it } from 'vitest';
import { BrokerError } from '../../../contract/broker-error.ts';
import { clusterName } from '../../../domain/target/target.ts';
import { callEvent, certificateRotation, kubectl } from '../../../history/testing/sample-events.ts';
import type { HistoryEvent } from '../../../ports/history.ts';
import type { PastCall, RecordedEvent } from '../../../ports/history-reader.ts';
import { silentLog } from '../../../ports/log.ts';
import { createRecentEvents } from './recent-events.ts';

const now = 1_800_000_000_000;
const minute = 60_000;
const prod = { name: 'prod', account: 'corp', audience: null };

/** A history whose past is told when the test says so. */
function open() {
  const listeners = new Set<(recorded: RecordedEvent) => void>();
  const reading = Promise.withResolvers<PastCall[]>();
  const last = new Map<string, RecordedEvent>();
  const asked: (readonly string[])[] = [];
  let hours = 0;
  let changes = 0;
  let id = 100;
  const recent = createRecentEvents({
    history: {
      onRecorded(listener) {
        listeners.add(listener);
        return { dispose: () => void listeners.delete(listener) };
      },
      async callsSince(since, page) {
        hours += 1;
        expect(since).toBe(now - 60 * minute);
        page(await reading.promise);
      },
      async lastCalls(clusters) {
        asked.push(clusters);
        return last;
      },
    },
    clock: { now: () => now },
    log: silentLog,
    changed() {
      changes += 1;
    },
  });
  return {
    recent,
    reading,
    last,
    asked,
    listeners,
    hours: () => hours,
    changes: () => changes,
    record(event: HistoryEvent, at = now) {
      id += 1;
      for (const listener of listeners) {
        listener({ id, at, event });
      }
      return id;
    },
  };
}

const past = (id: number, more: Partial<PastCall> = {}): PastCall => ({
  id,
  at: now - minute,
  outcome: 'handedOut',
  reason: 'held',
  microseconds: 900,
  ...more,
});

it('tells who asked last, with what started it, where the system told', () => {
  const bench = open();
  bench.record(callEvent({ target: clusterName('prod'), caller: { ...kubectl, parentName: 'zsh' } }));
  expect(bench.recent.lastCall('prod')).toMatchObject({ at: now, program: 'kubectl', parent: 'zsh' });
  expect(bench.recent.lastCall('dev')).toBeNull();
  bench.record(callEvent({ target: clusterName('prod') }));
  expect(bench.recent.lastCall('prod')).toMatchObject({ program: 'kubectl', parent: null });
});

it('shows odd names as text and nothing else', () => {
  const bench = open();
  const odd = { ...kubectl, executable: '/tmp/a\u0007b', parentName: 'z\u202esh' };
  bench.record(callEvent({ target: clusterName('prod'), caller: odd }));
  expect(bench.recent.lastCall('prod')).toMatchObject({ program: 'a\\u{7}b', parent: 'z\\u{202e}sh' });
});

it('reads the past once, and of each cluster once, however often it is asked', async () => {
  const bench = open();
  bench.last.set('prod', { id: 7, at: now - minute, event: callEvent({ target: clusterName('prod') }) });
  bench.recent.seed(['prod', 'dev']);
  bench.recent.seed(['prod', 'dev']);
  bench.reading.resolve([past(1), past(2, { outcome: 'refused', reason: 'oidc.unreachable' })]);
  await expect.poll(() => bench.changes()).toBe(1);
  expect(bench.recent.lastCall('prod')).toMatchObject({ at: now - minute, program: 'kubectl' });
  expect(bench.recent.counts()).toEqual({
    thisHour: { handedOut: 1, noCredential: 0, declined: 0, failed: 1 },
    medianMicroseconds: 900,
  });
  bench.recent.seed(['prod', 'dev', 'new']);
  await expect.poll(() => bench.asked).toEqual([['prod', 'dev'], ['new']]);
  expect(bench.hours()).toBe(1);
});

it('counts once what comes while the past is read, and is in it, too', async () => {
  const bench = open();
  bench.recent.seed(['prod']);
  const id = bench.record(callEvent({ target: clusterName('prod') }));
  bench.reading.resolve([past(1), past(id), past(id + 1)]);
  await expect.poll(() => bench.changes()).toBe(1);
  expect(bench.recent.counts().thisHour.handedOut).toBe(2);
});

it('doesn’t take an older call from the past for a newer one that has come', async () => {
  const bench = open();
  bench.last.set('prod', { id: 7, at: now - minute, event: callEvent({ target: clusterName('prod') }) });
  bench.record(
    callEvent({ target: clusterName('prod'), outcome: 'refused', reason: 'lock.closed', generation: null }),
  );
  bench.recent.seed(['prod']);
  bench.reading.resolve([]);
  await expect.poll(() => bench.changes()).toBe(1);
  expect(bench.recent.lastCall('prod')).toMatchObject({ at: now, outcome: 'refused', reason: 'lock.closed' });
});

it('goes on without a past that can’t be read', async () => {
  const bench = open();
  bench.recent.seed(['prod']);
  bench.reading.reject(new BrokerError('history.damaged', 'the history is damaged'));
  await expect.poll(() => bench.changes()).toBe(1);
  bench.record(callEvent({ target: clusterName('prod') }));
  expect(bench.recent.counts().thisHour.handedOut).toBe(1);
});

it('marks the lanes that an event is drawn in, and no other', () => {
  const bench = open();
  const audience = { name: 'aud', account: 'corp', audience: 'aud' };
  const other = { name: 'other', account: 'eks', audience: null };
  const marks = () => [prod, audience, other].map((each) => bench.recent.laneVersion(each));
  const rotated = certificateRotation({ account: 'eks', target: clusterName('other') });
  const who = { issuer: null, subject: null, displayName: null };
  const login = {
    kind: 'login',
    account: 'corp',
    flow: 'browser',
    outcome: 'done',
    code: null,
    ...who,
  } as const;
  const failed = {
    kind: 'renewal',
    account: 'corp',
    audience: null,
    why: 'ahead',
    outcome: 'failed',
    code: 'x',
    milliseconds: 1,
  } as const;
  const events: [HistoryEvent, (id: number) => number[]][] = [
    [login, (id) => [id, id, 0]],
    [certificateRotation({ account: 'corp', audience: 'aud' }), (id) => [id - 1, id, 0]],
    [certificateRotation({ account: 'corp', audience: null }), (id) => [id, id - 1, 0]],
    [rotated, (id) => [id - 1, id - 2, id]],
    [failed, (id) => [id, id - 3, id - 1]],
    [{ ...failed, outcome: 'renewed', code: null }, (id) => [id - 1, id - 4, id - 2]],
    [callEvent({ target: clusterName('prod') }), (id) => [id - 2, id - 5, id - 3]],
  ];
  expect(marks()).toEqual([0, 0, 0]);
  for (const [event, expected] of events) {
    const id = bench.record(event);
    expect([event.kind, marks()]).toEqual([event.kind, expected(id)]);
  }
});

it('listens to nothing when it has ended', () => {
  const bench = open();
  void bench.recent.dispose();
  expect(bench.listeners.size).toBe(0);
});
