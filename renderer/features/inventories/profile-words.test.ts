import { expect, test } from 'vitest';
import type { InventoryView } from '../../../main/contract/ui/state.ts';
import { countWords, retryWords, sourceHealth, sourceWords, valueWords } from './profile-words.ts';

const now = 10_000_000;
const source = (more: Partial<InventoryView>) =>
  ({ state: 'live', lastSyncAt: now - 20_000, trouble: null, retryAt: null, ...more }) as InventoryView;
const trouble = { code: 'unreachable', text: 'the hub can’t be reached' };

test.each<[Partial<InventoryView>, string, string]>([
  [{}, 'good', 'Live, as of 20 s ago'],
  [{ state: 'stale', trouble }, 'soon', 'Stale: last known state, 20 s ago'],
  [{ state: 'stale', trouble, lastSyncAt: null }, 'bad', 'Never read completely'],
  [{ state: 'starting', lastSyncAt: null }, 'idle', 'Reading the source…'],
  [{ state: 'starting', lastSyncAt: null, trouble }, 'bad', 'Never read completely'],
  [{ state: 'held' }, 'need', 'Pending approval: not read until you approve it'],
  [{ state: 'locked' }, 'locked', 'Locked: not read until Lanyard is unlocked'],
])('a source that is %j', (more, mark, words) => {
  expect([sourceHealth(source(more)), sourceWords(source(more), now)]).toEqual([mark, words]);
});

test('when it is tried again', () => {
  expect(retryWords(source({}), now)).toBe('');
  expect(retryWords(source({ retryAt: now + 40_000 }), now)).toBe('Trying again in 40 s.');
  expect(retryWords(source({ retryAt: now - 5 }), now)).toBe('Trying again now.');
});

test('counts leave out what there is none of', () => {
  const none = { total: 1, inUse: 0, pending: 0, remade: 0, refused: 0, available: 1, unusable: 0 };
  expect(countWords({ profiles: none })).toBe('1 profile');
  expect(countWords({ profiles: { ...none, total: 10_000, inUse: 200, unusable: 2 } })).toBe(
    '10,000 profiles: 200 in use, 2 can’t be used',
  );
});

test('a value of a field', () => {
  expect(valueWords('state', 'pending')).toBe('Pending approval');
  expect(valueWords('clusterset', '')).toBe('No clusterset');
  expect(valueWords('location', 'constructor')).toBe('constructor');
});
