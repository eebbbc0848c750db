import { readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { chosenPoints, seedInTitle } from '../../test/support/long.ts';
import { ManualClock } from '../../test/support/manual-clock.ts';
import { removeAsideBefore, setAside as setAsideNow } from './history-files.ts';
import { HistoryBench } from './testing/history-bench.ts';
import { callEvent, kubectl, recordAll } from './testing/sample-events.ts';

const clock = new ManualClock();
let bench: HistoryBench;
/** An intact file with some hundred events. */
let whole: Buffer;

beforeAll(() => {
  using first = new HistoryBench(clock);
  const history = first.open();
  for (let count = 0; count < 40; count++) {
    recordAll(history);
    history.record(callEvent({ caller: { ...kubectl, session: { leaderPid: count, startTime: 'x' } } }));
  }
  void history.dispose();
  whole = readFileSync(first.file);
});
beforeEach(() => {
  bench = new HistoryBench(clock);
});
afterEach(() => bench[Symbol.dispose]());

const setAside = () => readdirSync(bench.folder).filter((name) => /^history\.damaged-.*\.db$/.test(name));

/** For any file: the call is on record when `record` returns, and the old content is still somewhere. */
async function expectRecorded(reason: string): Promise<void> {
  const history = bench.open();
  history.record(callEvent({ reason }));
  await history.reader.events({ since: 0, limit: 10_000 }).catch(() => undefined);
  history.record(callEvent({ reason: `${reason} again` }));
  const { events } = await history.reader.events({ since: 0, limit: 10_000 });
  expect(events.map(({ event }) => 'reason' in event && event.reason)).toContain(`${reason} again`);
  if (setAside().length > 0) {
    expect(history.problems().join()).toContain(setAside()[0]);
    expect(bench.logged.map(([event]) => event)).toContain('history.setAside');
  } else {
    expect(events.map(({ event }) => 'reason' in event && event.reason)).toContain(reason);
  }
}

describe('a damaged file', () => {
  it.each<[string, (bytes: Buffer) => Buffer]>([
    ['text', () => Buffer.from('this is no database, but a longer text than a header has bytes'.repeat(30))],
    ['random bytes', () => Buffer.from(Array.from({ length: 9_000 }, (_, index) => (index * 7919) % 251))],
    ['a header alone', (bytes) => bytes.subarray(0, 100)],
    ['half a page', (bytes) => bytes.subarray(0, 2_048)],
    ['its first page alone', (bytes) => bytes.subarray(0, 4_096)],
    [
      'zeros in the place of its schema',
      (bytes) => Buffer.concat([Buffer.alloc(4_096), bytes.subarray(4_096)]),
    ],
  ])('that is %s is set aside when it is opened, and the call is in the new one', async (_, damage) => {
    const bytes = damage(Buffer.from(whole));
    writeFileSync(bench.file, bytes);
    const history = bench.open();
    history.record(callEvent({ reason: 'hit it' }));
    const { events } = await history.reader.events({ since: 0, limit: 10 });
    expect(events.map(({ event }) => 'reason' in event && event.reason)).toEqual(['hit it']);
    expect(setAside()).toHaveLength(1);
    expect(readFileSync(join(bench.folder, setAside()[0] ?? '')).subarray(0, 50)).toEqual(
      bytes.subarray(0, 50),
    );
    expect(history.problems()).toEqual([expect.stringContaining(setAside()[0] ?? '-')]);
    expect(bench.logged.map(([event]) => event)).toEqual(['history.setAside']);
  });

  it(`loses no later call, wherever it ends${seedInTitle}`, async () => {
    for (const length of [1, ...chosenPoints(Math.floor(whole.length / 3_001), 5).map((at) => at * 3_001)]) {
      writeFileSync(bench.file, whole.subarray(0, length));
      await expectRecorded(`cut at ${length}`);
      bench[Symbol.dispose]();
      bench = new HistoryBench(clock);
    }
  });

  it(`loses no later call, whichever bits are wrong${seedInTitle}`, async () => {
    for (const place of chosenPoints(Math.floor(whole.length / 1_009), 10).map((at) => at * 1_009)) {
      const bytes = Buffer.from(whole);
      for (let offset = 0; offset < 8; offset++) {
        bytes[(place + offset) % bytes.length] = (bytes[(place + offset) % bytes.length] ?? 0) ^ 0xa5;
      }
      writeFileSync(bench.file, bytes);
      await expectRecorded(`flipped at ${place}`);
      bench[Symbol.dispose]();
      bench = new HistoryBench(clock);
    }
  });

  it('is set aside with what SQLite kept beside it, and never over an older one', () => {
    for (const content of ['one', 'two']) {
      writeFileSync(bench.file, content);
      writeFileSync(`${bench.file}-wal`, `${content} log`);
      setAsideNow(bench.file, 'damaged', 0);
    }
    const name = 'history.damaged-1970-01-01T00-00-00-000Z';
    expect(
      readdirSync(bench.folder).map((each) => [each, readFileSync(join(bench.folder, each), 'utf8')]),
    ).toEqual([
      [`${name}.1.db`, 'two'],
      [`${name}.1.db-wal`, 'two log'],
      [`${name}.db`, 'one'],
      [`${name}.db-wal`, 'one log'],
    ]);
  });

  it('that was set aside is kept as long as the history', () => {
    writeFileSync(bench.file, 'no database');
    bench.open().record(callEvent());
    writeFileSync(join(bench.folder, 'history.damaged-by-hand.txt'), 'a person’s own');
    expect(removeAsideBefore(bench.file, Date.now() - 60_000)).toEqual([]);
    expect(removeAsideBefore(bench.file, Date.now() + 60_000)).toHaveLength(1);
    expect(readdirSync(bench.folder)).toEqual([
      'history.damaged-by-hand.txt',
      'history.db',
      'history.db-wal',
    ]);
  });

  it('is found while it is in use, too', async () => {
    writeFileSync(bench.file, whole);
    const history = bench.open();
    truncateSync(bench.file, 8_192);
    const reasons: string[] = [];
    for (let count = 0; count < 50; count++) {
      const reason = `call ${count}`;
      history.record(
        callEvent({ reason, caller: { ...kubectl, session: { leaderPid: count, startTime: 'y' } } }),
      );
      reasons.push(reason);
    }
    await history.reader.events({ since: 0, limit: 10_000 }).catch(() => undefined);
    history.record(callEvent({ reason: 'last' }));
    const { events } = await history.reader.events({ since: 0, limit: 10_000 });
    const found = events.map(({ event }) => 'reason' in event && event.reason);
    expect(found.at(-1)).toBe('last');
    expect(setAside().length).toBeGreaterThan(0);
  });
});
