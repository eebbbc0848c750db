import { beforeEach, describe, expect, it } from 'vitest';
import { ManualClock } from '../../../test/support/manual-clock.ts';
import { createRecordLog } from '../../accounts/testing/record-log.ts';
import type { BrokerMessage } from '../../contract/ui/messages.ts';
import { stateSections } from '../../contract/ui/state.ts';
import {
  createStateFeed,
  type StateFeed,
  type StateSources,
  type StateSubscriptionOptions,
} from './state-feed.ts';

let clock: ManualClock;
let held: Record<string, { what: 'account'; name: string; change: string; served: boolean }>;
let readings: number;
let feed: StateFeed;
beforeEach(() => {
  clock = new ManualClock();
  held = {};
  readings = 0;
  feed = createStateFeed({ clock, log: createRecordLog(), sources: sources() });
});

function sources(): StateSources {
  const none = Object.fromEntries(Object.keys(stateSections).map((section) => [section, () => ({})]));
  const read = () => {
    readings++;
    return held;
  };
  return { ...none, held: read } as unknown as StateSources;
}

const change = (name: string, text = 'new') => ({
  what: 'account' as const,
  name,
  change: text,
  served: text !== 'new',
});

async function settle(): Promise<void> {
  clock.advance(1_000);
  await turns();
}

async function turns(): Promise<void> {
  for (let turn = 0; turn < 40; turn++) {
    await Promise.resolve();
  }
}

function watch(options: StateSubscriptionOptions = {}) {
  const messages: BrokerMessage[] = [];
  const subscription = feed.subscribe((message) => messages.push(message), options);
  return { messages, subscription, take: () => messages.splice(0) };
}

describe('the feed', () => {
  it('reads nothing without a subscriber', async () => {
    feed.changed();
    await settle();
    expect(readings).toBe(0);
    const page = watch();
    await settle();
    page.subscription.dispose();
    readings = 0;
    feed.changed();
    await settle();
    clock.advance(60_000);
    await settle();
    expect(readings).toBe(0);
  });

  it('sends the whole first, then what has changed alone, each from the version before', async () => {
    held = { 'account a': change('a'), 'account b': change('b') };
    const page = watch();
    await settle();
    const [snapshot] = page.take();
    expect(snapshot).toMatchObject({
      kind: 'snapshot',
      entries: [
        ['held', 'account a', change('a')],
        ['held', 'account b', change('b')],
      ],
    });
    held = { 'account b': change('b', 'changed'), 'account c': change('c') };
    feed.changed();
    await settle();
    const version = snapshot?.kind === 'snapshot' ? snapshot.version : -1;
    expect(page.take()).toEqual([
      {
        kind: 'delta',
        from: version,
        version: version + 1,
        entries: [
          ['held', 'account b', change('b', 'changed')],
          ['held', 'account c', change('c')],
          ['held', 'account a', null],
        ],
      },
    ]);
  });

  it('says nothing where nothing has changed', async () => {
    held = { 'account a': change('a') };
    const page = watch();
    await settle();
    page.take();
    held = { 'account a': change('a') };
    feed.changed();
    await settle();
    expect(page.take()).toEqual([]);
  });

  describe('for a page that opens when the state was read', () => {
    const opened = async () => {
      held = { 'account a': change('a') };
      const page = watch();
      await settle();
      readings = 0;
      return page;
    };

    it('sends that at once', async () => {
      await opened();
      const { messages } = watch();
      expect(messages).toMatchObject([{ kind: 'snapshot', entries: [['held', 'account a', change('a')]] }]);
      await settle();
      expect([messages.length, readings]).toEqual([1, 0]);
      held = { 'account b': change('b') };
      feed.changed();
      await settle();
      expect(messages).toMatchObject([{}, { kind: 'delta' }]);
    });

    it('sends that at once after a call, too, and what the call changed soon', async () => {
      held = { 'account a': change('a') };
      watch({ callsEveryMilliseconds: 1_000 });
      await settle();
      held = { 'account b': change('b') };
      feed.changed('byCall');
      const { messages } = watch();
      expect(messages).toMatchObject([{ entries: [['held', 'account a', change('a')]] }]);
      await settle();
      expect(messages[1]).toMatchObject({ kind: 'delta' });
    });

    it.each<[string, (page: ReturnType<typeof watch>) => unknown]>([
      ['after a change', () => feed.changed()],
      [
        'while one is read',
        () => {
          feed.changed();
          clock.advance(100);
        },
      ],
      [
        'after too long without a page',
        ({ subscription }) => {
          subscription.dispose();
          clock.advance(16_000);
        },
      ],
      [
        'when it could not be read',
        async () => {
          held = { 'account b': null } as never;
          feed.changed();
          await settle();
        },
      ],
    ])('reads it anew %s', async (_, meanwhile) => {
      await meanwhile(await opened());
      held = { 'account b': change('b') };
      const { messages } = watch();
      expect(messages).toEqual([]);
      await settle();
      await settle();
      expect(messages[0]).toMatchObject({ kind: 'snapshot' });
      expect(messages.flatMap((each) => ('entries' in each ? each.entries : []))).toContainEqual([
        'held',
        'account b',
        change('b'),
      ]);
    });
  });

  it('reads once for many changes', async () => {
    const page = watch();
    await settle();
    readings = 0;
    for (let count = 0; count < 100; count++) {
      feed.changed();
    }
    await settle();
    expect(readings).toBe(1);
    page.subscription.dispose();
  });

  it('reads while calls come all the while, too', async () => {
    const page = watch();
    await settle();
    readings = 0;
    for (let milliseconds = 0; milliseconds < 1_000; milliseconds += 5) {
      feed.changed('byCall');
      clock.advance(5);
      await turns();
    }
    expect(readings).toBeGreaterThan(20);
    page.subscription.dispose();
  });

  it('reads once a second for calls where only such look as don’t wait for them', async () => {
    const tray = watch({ callsEveryMilliseconds: 1_000 });
    await settle();
    readings = 0;
    for (let milliseconds = 0; milliseconds < 10_000; milliseconds += 5) {
      feed.changed('byCall');
      clock.advance(5);
      await turns();
    }
    expect(readings).toBeGreaterThanOrEqual(9);
    expect(readings).toBeLessThanOrEqual(11);
    tray.subscription.dispose();
  });

  it('tells those of a question at once, though calls come, and of calls while a page looks', async () => {
    const tray = watch({ callsEveryMilliseconds: 1_000 });
    await settle();
    feed.changed('byCall');
    clock.advance(100);
    await turns();
    tray.take();
    held = { 'account a': change('a') };
    feed.changed('byCall');
    feed.changed();
    feed.changed('byCall');
    clock.advance(20);
    await turns();
    expect(tray.take()).toMatchObject([{ kind: 'delta' }]);
    const page = watch();
    clock.advance(100);
    await turns();
    page.take();
    held = {};
    feed.changed('byCall');
    clock.advance(50);
    await turns();
    expect(page.take()).toMatchObject([{ kind: 'delta' }]);
  });

  it('gives a page that comes later its own snapshot, and the first one no second', async () => {
    held = { 'account a': change('a') };
    const first = watch();
    await settle();
    first.take();
    const second = watch();
    await settle();
    expect(first.take()).toEqual([]);
    expect(second.take()).toMatchObject([
      { kind: 'snapshot', entries: [['held', 'account a', change('a')]] },
    ]);
  });

  it('sends the whole again to a page that missed something', async () => {
    held = { 'account a': change('a') };
    const page = watch();
    await settle();
    page.take();
    page.subscription.resync();
    await settle();
    expect(page.take()).toMatchObject([{ kind: 'snapshot', entries: [['held', 'account a', change('a')]] }]);
  });

  it('lets nothing out that the schema doesn’t name', async () => {
    held = { 'account a': { ...change('a'), token: 'canary' } as never };
    const page = watch();
    await settle();
    expect(JSON.stringify(page.messages)).toContain('"account a"');
    expect(JSON.stringify(page.messages)).not.toContain('canary');
  });

  it('goes on after a reading that failed', async () => {
    let fails = true;
    feed = createStateFeed({
      clock,
      log: createRecordLog(),
      sources: {
        ...sources(),
        held: () => {
          if (fails) {
            throw new Error('unreadable');
          }
          return held;
        },
      },
    });
    const page = watch();
    await settle();
    expect(page.take()).toEqual([]);
    fails = false;
    clock.advance(15_000);
    await settle();
    expect(page.take()).toMatchObject([{ kind: 'snapshot' }]);
  });
});
