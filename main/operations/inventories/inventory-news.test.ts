import { beforeEach, expect, test } from 'vitest';
import { ManualClock } from '../../../test/support/manual-clock.ts';
import { refuse } from '../../contract/refusal.ts';
import type { PendingChange } from '../../domain/approval/binding.ts';
import type { ChosenProfile } from '../../domain/inventory/chosen-profiles.ts';
import type { InventoryState } from '../../inventory/inventory-state.ts';
import type { SourceFaultCode } from '../../inventory/source-fault.ts';
import { aProfile } from '../../inventory/testing/a-profile.ts';
import { liveInventory } from '../../inventory/testing/live-inventory.ts';
import type { HistoryEvent } from '../../ports/history.ts';
import { InventoryNews } from './inventory-news.ts';

const minute = 60_000;
let clock: ManualClock;
let recorded: string[];
let isLocked: boolean;
let state: InventoryState;
/** Contexts. */
let pending: string[];
let used: string[];
let known: Set<string>;
let news: InventoryNews;

beforeEach(() => {
  clock = new ManualClock();
  recorded = [];
  isLocked = false;
  state = liveInventory();
  pending = [];
  used = [];
  known = new Set();
  news = begun();
});

function begun(): InventoryNews {
  const origin = (name: string) => ({
    inventory: 'fleet',
    namespace: 'team',
    name,
    uid: null,
    provider: 'x',
  });
  return new InventoryNews({
    config: {
      current: () => ({
        inventories: new Map([['fleet', {} as never]]),
        clusters: new Map(pending.map((name) => [name, { name, origin: origin(name) } as never])),
      }),
    },
    bindings: {
      changes: () => {
        if (isLocked) {
          throw new Error('vault.locked');
        }
        const other = { what: 'cluster', name: 'of config.yaml' } as PendingChange;
        return [other, ...pending.map((name) => ({ what: 'cluster', name }) as PendingChange)];
      },
    },
    inventories: {
      state: () => state,
      profile: ({ name }) => (known.has(name) ? aProfile('team', name) : null),
    },
    used: {
      current: () =>
        used.map((name): ChosenProfile => ({ ...origin(name), contextName: name, chosen: 'user' })),
    },
    gate: () => (isLocked ? refuse('locked', 'x', 'locked') : null),
    recorder: {
      record: (event: HistoryEvent) => {
        if (event.kind === 'inventory') {
          const { what, code, profiles, context } = event;
          recorded.push([what, code, profiles || null, context].filter((each) => each !== null).join(' '));
        }
      },
    },
    clock,
  });
}

/** What is recorded once things have been quiet. */
function settled(): string[] {
  news.look();
  clock.advance(2_000);
  return recorded.splice(0);
}

const fault = (code: SourceFaultCode) => {
  state = { ...state, kind: 'stale', trouble: { code, text: 'wrong' } };
};
const well = () => {
  state = { ...state, kind: 'live', trouble: null };
};

test('a fault that lasts a minute is told once, and its end', () => {
  fault('unauthorized');
  expect(settled()).toEqual([]);
  clock.advance(minute);
  expect(recorded).toEqual(['failing unauthorized']);
  clock.advance(60 * minute);
  expect(settled()).toEqual(['failing unauthorized']);
  well();
  expect(settled()).toEqual(['recovered']);
  expect(settled()).toEqual([]);
});

test('a fault that is over sooner is not told, and neither is its end', () => {
  fault('unreachable');
  settled();
  clock.advance(minute / 2);
  well();
  expect(settled()).toEqual([]);
  clock.advance(10 * minute);
  expect(settled()).toEqual([]);
});

test('a fault that goes back and forth is told once each', () => {
  fault('unreachable');
  settled();
  clock.advance(minute);
  for (let count = 0; count < 20; count++) {
    fault(count % 2 === 0 ? 'silent' : 'unreachable');
    news.look();
    clock.advance(2 * minute);
  }
  expect(recorded).toEqual(['failing unreachable', 'failing silent']);
});

test('while a source is read again, nothing is told of it', () => {
  fault('file');
  settled();
  clock.advance(minute);
  expect(settled()).toEqual(['failing file']);
  state = { ...state, kind: 'stale', trouble: null };
  expect(settled()).toEqual([]);
});

test('a thousand profiles of one burst are one event; one is named', () => {
  pending = Array.from({ length: 1_000 }, (_, at) => `c${at}`);
  news.look();
  clock.advance(500);
  news.look();
  expect(settled()).toEqual(['pending 1000']);
  pending = [...pending, 'one'];
  expect(settled()).toEqual(['pending 1 one']);
  pending = [];
  expect(settled()).toEqual([]);
  pending = ['one'];
  expect(settled()).toEqual(['pending 1 one']);
});

test('profiles in use that are gone are told, not before the first list', () => {
  used = ['a', 'b', 'c'];
  known = new Set(['a']);
  state = { ...state, lastSyncAt: null };
  expect(settled()).toEqual([]);
  state = { ...state, lastSyncAt: 1 };
  expect(settled()).toEqual(['gone 2']);
  expect(settled()).toEqual([]);
  known = new Set();
  expect(settled()).toEqual(['gone 1 a']);
});

test('what was pending at the start was told before; locked, nothing is', () => {
  pending = ['old'];
  isLocked = true;
  news.dispose();
  news = begun();
  expect(settled()).toEqual([]);
  isLocked = false;
  expect(settled()).toEqual([]);
  pending = ['old', 'new'];
  isLocked = true;
  expect(settled()).toEqual([]);
  isLocked = false;
  expect(settled()).toEqual(['pending 1 new']);
});

test('changes that go on and on are told, but no more than allowed; what is left comes with the next', () => {
  let told: string[] = [];
  for (let second = 0; second < 600; second++) {
    pending = [`p${second}`];
    news.look();
    clock.advance(1_000);
    told = recorded;
  }
  expect(told.length).toBeGreaterThan(15);
  expect(told.length).toBeLessThan(25);
  pending = ['x', 'y', 'z'];
  recorded.length = 0;
  news.look();
  clock.advance(10 * minute);
  expect(recorded).toEqual(['pending 3']);
});
