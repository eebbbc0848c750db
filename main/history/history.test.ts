import { chmodSync, mkdirSync, readdirSync, renameSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ManualClock } from '../../test/support/manual-clock.ts';
import { modeOf, onWindows, withoutLinks } from '../../test/support/system.ts';
import { requestKinds, usualKinds } from '../contract/ui/activity-kinds.ts';
import { clusterName } from '../domain/target/target.ts';
import { HistoryBench } from './testing/history-bench.ts';
import { callEvent, kubectl, oneOfEach, recordAll, requestEvent } from './testing/sample-events.ts';

const day = 86_400_000;
let clock: ManualClock;
let bench: HistoryBench;

beforeEach(() => {
  clock = new ManualClock();
  bench = new HistoryBench(clock);
});
afterEach(() => bench[Symbol.dispose]());

const all = { since: 0, limit: 100_000 };

/** Lets the upkeep do what is due, each time it asks to be called again. */
function passTime(milliseconds: number, steps = 400): void {
  clock.advance(milliseconds);
  for (let step = 0; step < steps; step++) {
    clock.advance(25);
  }
}

describe('what was recorded', () => {
  it('comes back as it was, each kind, also after the file was closed', async () => {
    const first = bench.open();
    recordAll(first);
    void first.dispose();
    const { events } = await bench.open().reader.events(all);
    expect(events.map(({ event }) => event)).toEqual(oneOfEach);
    expect(events.map(({ id }) => id)).toEqual(oneOfEach.map((_, index) => index + 1));
  });

  it('says of no account’s call that it was no account’s', async () => {
    const history = bench.open();
    const stored = callEvent({
      door: 'docker',
      account: null,
      target: { kind: 'registry-login', name: 'ghcr.io' },
      generation: null,
    });
    history.record(stored);
    expect((await history.reader.events(all)).events.map(({ event }) => event)).toEqual([stored]);
    expect((await history.reader.events({ ...all, account: 'corp' })).events).toEqual([]);
    expect(history.reader.names('account')).toEqual([]);
  });

  it('is ordered by when it came, with the times of the clock, also where that was set back', async () => {
    const history = bench.open();
    history.record(callEvent({ reason: 'first' }));
    const at = clock.now();
    clock.setWall(at - 3 * day);
    history.record(callEvent({ reason: 'second' }));
    const { events } = await history.reader.events(all);
    expect(events.map(({ at, event }) => [at, 'reason' in event && event.reason])).toEqual([
      [at, 'first'],
      [at - 3 * day, 'second'],
    ]);
  });

  it('is written together, each with its own time, and told of like all', async () => {
    const history = bench.open();
    const told: number[] = [];
    history.reader.onRecorded(({ id }) => void told.push(id));
    const at = clock.now();
    history.recordAll([
      { at: at - 900, event: requestEvent({ path: '/a' }) },
      { at: at - 100, event: requestEvent({ path: `/b${'x'.repeat(10_000)}` }) },
    ]);
    const { events } = await history.reader.events(all);
    expect(events.map(({ at: when }) => when)).toEqual([at - 900, at - 100]);
    expect(events[1]?.event.kind === 'request' && events[1].event.path).toHaveLength(513);
    expect(told).toEqual(events.map(({ id }) => id));
  });

  it('counts on after a restart', () => {
    const first = bench.open();
    first.record({ kind: 'change', what: 'a', name: null });
    first.record(callEvent());
    void first.dispose();
    expect(bench.open().reader.lastId()).toBe(2);
  });

  it('keeps a made-up name short and visible', async () => {
    const history = bench.open();
    history.record(callEvent({ account: `evil\n\u001b[2J${'x'.repeat(1_000_000)}` }));
    const [found] = (await history.reader.events(all)).events;
    const account = found?.event.kind === 'call' ? found.event.account : null;
    expect(account).toMatch(/^evil\\u\{a\}\\u\{1b\}\[2Jxxx/);
    expect(account?.length).toBeLessThan(200);
  });

  it('keeps one row for a program that asks often', async () => {
    const history = bench.open();
    for (let pid = 1; pid <= 50; pid++) {
      history.record(callEvent({ caller: { ...kubectl, pid, startTime: String(pid) } }));
    }
    history.record(callEvent({ caller: { ...kubectl, origin: 'ssh' } }));
    void history.dispose();
    using database = new DatabaseSync(bench.file);
    expect(database.prepare('SELECT count(*) AS count FROM callers').get()).toMatchObject({ count: 2 });
  });
});

describe('the file', () => {
  it('is the owner’s alone, with what SQLite keeps beside it', () => {
    bench.open().record(callEvent());
    const modes = readdirSync(bench.folder).map((name) => [name, modeOf(join(bench.folder, name))]);
    expect(modes).toEqual([
      ['history.db', 0o600],
      ['history.db-wal', 0o600],
    ]);
  });

  it.skipIf(onWindows)('is made the owner’s alone where it was open to others', () => {
    void bench.open().dispose();
    chmodSync(bench.file, 0o644);
    bench.open();
    expect(modeOf(bench.file)).toBe(0o600);
  });

  it.each<[string, (at: string) => void, string]>([
    ...(withoutLinks
      ? []
      : ([
          ['a symbolic link', (at) => symlinkSync('/dev/null', at), 'history.notAFile'],
          ['a link to nowhere', (at) => symlinkSync('/nowhere/at/all', at), 'history.notAFile'],
        ] as [string, (at: string) => void, string][])),
    ['a folder', (at) => mkdirSync(at), 'history.notAFile'],
  ])('is refused where it is %s, and nothing is handed out', (_, put, code) => {
    put(bench.file);
    const history = bench.open();
    expect(() => history.record(callEvent())).toThrow(expect.objectContaining({ code }));
    expect(history.problems()).toEqual([expect.stringContaining('without it nothing is issued')]);
    renameSync(bench.file, join(bench.folder, 'moved'));
    history.record(callEvent());
    expect(history.problems()).toEqual([]);
  });

  it.skipIf(withoutLinks).each(['-wal', '-journal'])(
    'is refused where what lies beside it (%s) is a link',
    (companion) => {
      symlinkSync('/dev/null', `${bench.file}${companion}`);
      const history = bench.open();
      expect(() => history.record(callEvent())).toThrow(
        expect.objectContaining({ code: 'history.notAFile' }),
      );
    },
  );

  it('ends no other event where it can’t be written, and is said once', () => {
    mkdirSync(bench.file);
    const history = bench.open();
    for (let count = 0; count < 5; count++) {
      history.record({ kind: 'change', what: 'account.add', name: 'corp' });
    }
    expect(bench.logged.map(([event]) => event)).toEqual(['history.failed']);
  });

  // Windows moves no file that is open.
  it.skipIf(onWindows)('is created again where it was moved away under the broker', async () => {
    const history = bench.open();
    history.record(callEvent({ reason: 'before' }));
    renameSync(bench.file, join(bench.folder, 'elsewhere'));
    clock.advance(2_000);
    history.record(callEvent({ reason: 'after' }));
    const { events } = await history.reader.events(all);
    expect(events.map(({ event }) => 'reason' in event && event.reason)).toEqual(['after']);
    expect(history.problems()).toEqual([expect.stringContaining('moved or removed')]);
  });

  it('of a newer Lanyard is set aside as it is, and a new one begun', async () => {
    const first = bench.open();
    first.record(callEvent());
    void first.dispose();
    {
      using database = new DatabaseSync(bench.file);
      database.exec('PRAGMA user_version = 99; CREATE TABLE later (x)');
    }
    const history = bench.open();
    history.record(callEvent());
    expect((await history.reader.events(all)).events).toHaveLength(1);
    const aside = readdirSync(bench.folder).find((name) => name.startsWith('history.newer-')) ?? '';
    expect(history.problems()).toEqual([expect.stringContaining(aside)]);
    using kept = new DatabaseSync(join(bench.folder, aside));
    expect(kept.prepare('SELECT count(*) AS count FROM calls').get()).toMatchObject({ count: 1 });
    expect(kept.prepare('PRAGMA user_version').get()).toMatchObject({ user_version: 99 });
  });

  it('that is empty is a new one', () => {
    writeFileSync(bench.file, '');
    const history = bench.open();
    history.record(callEvent());
    expect(history.problems()).toEqual([]);
  });
});

describe('what is older than is kept', () => {
  it('goes in small steps, the newer stays, and the file shrinks', async () => {
    const history = bench.open();
    for (let count = 0; count < 3_000; count++) {
      history.record(
        callEvent({ caller: { ...kubectl, session: { leaderPid: count % 40, startTime: 'old' } } }),
      );
    }
    recordAll(history, oneOfEach.slice(2));
    passTime(61_000);
    const before = statSync(bench.file).size;
    expect((await history.reader.events({ ...all, kinds: ['call'] })).events).toHaveLength(3_000);
    clock.advance(100 * day);
    history.record(callEvent({ reason: 'new' }));
    passTime(61_000);
    const { events } = await history.reader.events(all);
    expect(events.map(({ event }) => 'reason' in event && event.reason)).toEqual(['new']);
    expect(statSync(bench.file).size).toBeLessThan(before / 2);
    void history.dispose();
    using database = new DatabaseSync(bench.file);
    expect(database.prepare('SELECT count(*) AS count FROM callers').get()).toMatchObject({ count: 1 });
  });

  it('takes no more than a few hundred rows at a time, and waits while callers are answered', async () => {
    const history = bench.open();
    for (let count = 0; count < 2_000; count++) {
      history.record(callEvent());
    }
    clock.advance(60 * day);
    const left = async () => (await history.reader.events(all)).events.length;
    history.record(callEvent());
    history.keep(day);
    clock.advance(25);
    expect(await left()).toBe(2_001);
    clock.advance(250);
    // They are summed up first.
    const removed: number[] = [];
    for (let before = 2_001, step = 0; step < 12; step++, before -= removed.at(-1) ?? 0) {
      clock.advance(25);
      removed.push(before - (await left()));
    }
    expect(Math.max(...removed)).toBe(200);
    expect(Math.min(...removed)).toBe(0);
  });

  it('is, of requests, what is older than a week', async () => {
    const history = bench.open();
    recordAll(history);
    passTime(61_000);
    clock.advance(8 * day);
    history.record(requestEvent({ path: '/new' }));
    passTime(61_000);
    const { events } = await history.reader.events({ ...all, kinds: requestKinds });
    expect(events.map(({ event }) => event)).toEqual([requestEvent({ path: '/new' })]);
    expect((await history.reader.events({ ...all, kinds: usualKinds })).events).toHaveLength(
      oneOfEach.length - 3,
    );
  });

  it('goes at once where less is kept from now on', async () => {
    const history = bench.open();
    history.record(callEvent());
    clock.advance(2 * day);
    history.record(callEvent());
    history.keep(day);
    passTime(1_000, 20);
    expect((await history.reader.events(all)).events).toHaveLength(1);
  });

  it('is not told by a clock that was set years ahead, until that is set right', async () => {
    const history = bench.open();
    history.record(callEvent());
    const at = clock.now();
    clock.setWall(at + 5 * 365 * day);
    passTime(61_000);
    expect((await history.reader.events(all)).events).toHaveLength(1);
    clock.setWall(at);
    clock.advance(100 * day);
    passTime(61_000);
    expect((await history.reader.events(all)).events).toHaveLength(0);
  });

  it('knows a program again that asks after all of its calls have gone', async () => {
    const history = bench.open();
    history.record(callEvent());
    clock.advance(100 * day);
    passTime(61_000);
    history.record(callEvent());
    const { events } = await history.reader.events(all);
    expect(events.map(({ event }) => event)).toEqual([callEvent()]);
  });

  it('keeps who asked, of calls that stay', async () => {
    const history = bench.open();
    for (let count = 0; count < 120; count++) {
      history.record(callEvent());
      passTime(day, 10);
    }
    const { events } = await history.reader.events(all);
    expect(events.length).toBeGreaterThan(85);
    expect(
      events.every(({ event }) => event.kind === 'call' && event.caller.executable === kubectl.executable),
    ).toBe(true);
  });
});

describe('the reader', () => {
  it('gives the newest up to the limit, and says that there are more', async () => {
    const history = bench.open();
    for (let count = 1; count <= 1_200; count++) {
      history.record(callEvent({ generation: count, target: clusterName(count % 3 === 0 ? 'prod' : 'dev') }));
      clock.advance(count % 5 === 0 ? 1 : 0);
    }
    const generations = async (query: object) => {
      const { events, cut } = await history.reader.events({ ...all, ...query });
      return { cut, of: events.map(({ event }) => event.kind === 'call' && event.generation) };
    };
    expect(await generations({ limit: 2 })).toEqual({ cut: true, of: [1_199, 1_200] });
    expect((await generations({ limit: 1_200 })).cut).toBe(false);
    expect(await generations({ cluster: 'prod', limit: 2 })).toEqual({ cut: true, of: [1_197, 1_200] });
    expect((await generations({ cluster: 'prod' })).of).toHaveLength(400);
    expect((await generations({ account: 'nobody' })).of).toEqual([]);
    expect((await generations({ since: clock.now() - 1 })).of).toEqual([1_196, 1_197, 1_198, 1_199, 1_200]);
  });

  it('counts programs, and knows the names', async () => {
    const history = bench.open();
    recordAll(history);
    history.record(callEvent({ outcome: 'refused' }));
    history.record(callEvent({ target: clusterName('dev'), account: 'bot' }));
    const { reader } = history;
    expect(await reader.programs({ cluster: 'prod', since: 0 })).toEqual([
      { executable: '/usr/bin/kubectl', handedOut: 1, refused: 1, lastAt: clock.now() },
    ]);
    expect(reader.names('cluster')).toEqual(['dev', 'prod']);
    expect(reader.names('account')).toEqual(['corp', 'ops']);
    expect(reader.accountsOf('dev')).toEqual(['bot']);
  });

  it('tells of what comes, in order and without a gap', () => {
    const history = bench.open();
    let told = 0;
    const listening = history.reader.onRecorded(() => told++);
    recordAll(history);
    expect(told).toBe(oneOfEach.length);
    expect(history.reader.after(3).map(({ id }) => id)).toEqual(
      Array.from({ length: oneOfEach.length - 3 }, (_, index) => index + 4),
    );
    void listening.dispose();
    history.record(callEvent());
    expect(told).toBe(oneOfEach.length);
  });
});
