import { expect, test } from 'vitest';
import { cluster } from '../contract/config/cluster.ts';
import { defaultSettings } from '../contract/config/settings.ts';
import type { LoadedConfig } from '../domain/loaded-config.ts';
import { noEntries } from '../domain/testing/no-entries.ts';
import { keepSame } from './keep-same.ts';

/** A new object with each call: equal, but not the same. */
function configOf(servers: Record<string, string>, pem: string | null = null): LoadedConfig {
  return {
    ...noEntries,
    accounts: new Map([['a', { name: 'a', config: { staticToken: {} }, certificateAuthorityPem: null }]]),
    clusters: new Map(
      Object.entries(servers).map(([name, server]) => [
        name,
        { name, config: cluster.parse({ server, account: 'a' }), certificateAuthorityPem: pem },
      ]),
    ),
    settings: structuredClone(defaultSettings),
  };
}

const before = configOf({ one: 'https://one', two: 'https://two' });

test('an equal config is the one before', () => {
  expect(keepSame(before, configOf({ one: 'https://one', two: 'https://two' }))).toBe(before);
});

test('what is equal keeps its object, what differs is the new one', () => {
  const next = configOf({ one: 'https://one', two: 'https://other', three: 'https://three' });
  const kept = keepSame(before, next);
  expect(kept).toEqual(next);
  expect(kept.clusters.get('one')).toBe(before.clusters.get('one'));
  expect(kept.clusters.get('two')).toBe(next.clusters.get('two'));
  expect(kept.accounts).toBe(before.accounts);
});

test.each([
  ['an entry less', configOf({ one: 'https://one' })],
  ['another order', configOf({ two: 'https://two', one: 'https://one' })],
  ['another CA', configOf({ one: 'https://one', two: 'https://two' }, 'PEM')],
  [
    'another setting',
    {
      ...configOf({ one: 'https://one', two: 'https://two' }),
      settings: { ...defaultSettings, lock: { afterIdle: '5m' } },
    },
  ],
])('%s is another config', (_name, next) => {
  const kept = keepSame(before, next);
  expect(kept).not.toBe(before);
  expect(JSON.stringify([[...kept.clusters], kept.settings])).toBe(
    JSON.stringify([[...next.clusters], next.settings]),
  );
});
