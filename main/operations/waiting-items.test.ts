import { expect, test } from 'vitest';
import { entryChanges } from '../domain/approval/binding.ts';
import { type LoadedCluster, type LoadedConfig, loadedEntries } from '../domain/loaded-config.ts';
import { loadedInventory, loadedProfile } from '../domain/testing/loaded.ts';
import { noEntries } from '../domain/testing/no-entries.ts';
import type { Waiting } from './confirm.ts';
import { isTakenWithAll, needsLook, partOf, summaryOf, waitingItems } from './waiting-items.ts';

const fleet = loadedInventory('fleet', {
  providers: [{ name: 'eks', account: 'bot' }],
  servers: ['*.example.com'],
});

const clusterOf = (index: number, more: object = {}) =>
  loadedProfile(`c-${String(index).padStart(4, '0')}`, more, `uid-${index}`);

function waitingOf(now: readonly LoadedCluster[], before: readonly LoadedCluster[] = []): Waiting {
  const entriesOf = (clusters: readonly LoadedCluster[]) => {
    const named = new Map(clusters.map((each) => [each.name, each]));
    return loadedEntries((kind) => (kind === 'cluster' ? (named as never) : new Map()));
  };
  const none = { accounts: {}, clusters: {}, registries: {}, inventories: {} };
  const approved = Object.fromEntries(
    entryChanges(entriesOf(before), none).map(({ name, after }) => [name, after]),
  );
  const changes = entryChanges(entriesOf(now), { ...none, clusters: approved });
  const seen = {
    ...noEntries,
    clusters: new Map(now.map((each) => [each.name, each])),
    inventories: new Map([['fleet', fleet]]),
  } as unknown as LoadedConfig;
  return { seen, isAll: true, changes, held: [], found: new Map(), left: new Map() };
}

const indexes = Array.from({ length: 1000 }, (_, index) => index);

test('the same change of 1,000 profiles is one item, with a count and their names', () => {
  const waiting = waitingOf(
    indexes.map((index) => clusterOf(index, { disableCompression: true })),
    indexes.map((index) => clusterOf(index)),
  );
  const [item, ...more] = waitingItems(waiting);
  expect(more).toEqual([]);
  expect(item?.text).toMatchObject({
    title: '1,000 clusters of fleet (changed)',
    risks: [],
    lines: ['+ disableCompression: true'],
  });
  const names = item?.text.names ?? [];
  expect(names.join(', ').split(', ')).toHaveLength(1000);
  expect(names[0]).toMatch(/^c-0000 \(team\/c-0000\), c-0001 \(team\/c-0001\), /);
  expect(Math.max(...names.map(({ length }) => length))).toBeLessThanOrEqual(120);
  expect(item?.part.changes).toHaveLength(1000);
});

test('where each has a server of its own, each is a line of its item; nothing is left out', () => {
  const moved = (index: number) => ({ server: `https://new-${index}.example.com` });
  const waiting = waitingOf(
    indexes.map((index) => clusterOf(index, moved(index))),
    indexes.map((index) => clusterOf(index)),
  );
  const [item, ...more] = waitingItems(waiting);
  expect(more).toEqual([]);
  expect(item?.text).toMatchObject({ risks: [], lines: { length: 1000 } });
  expect(item?.text.lines[7]).toBe(
    'c-0007 (team/c-0007)  - server: https://c-0007.example.com  + server: https://new-7.example.com',
  );
});

test('new ones say what they share once, and where each is from', () => {
  const [item, ...more] = waitingItems(waitingOf(indexes.map((index) => clusterOf(index))));
  expect(more).toEqual([]);
  expect(item?.text.title).toBe('1,000 clusters of fleet (new)');
  expect(item?.text.lines.slice(0, 2)).toEqual([
    '+ account: bot',
    'c-0000  + profile: fleet team/c-0000 eks uid-0  + server: https://c-0000.example.com',
  ]);
});

test('each has a CA of its own, as clusters have: they are one item all the same', () => {
  const authority = (sign: string, index: number) =>
    `${sign} certificateAuthority: SHA-256 ${`${index % 10}A:`.repeat(32)}, CN=kubernetes, expires 2036-11-23`;
  const fresh = waitingOf(indexes.map((index) => clusterOf(index)));
  const moved = waitingOf(
    indexes.map((index) => clusterOf(index, { server: `https://new-${index}.example.com` })),
    indexes.map((index) => clusterOf(index)),
  );
  const withAuthorities = ({ changes, ...more }: Waiting, signs: string[]): Waiting => ({
    ...more,
    changes: changes.map((change, index) => ({
      ...change,
      lines: [...signs.map((sign) => authority(sign, index)), ...change.lines],
    })),
  });
  for (const waiting of [withAuthorities(fresh, ['+']), withAuthorities(moved, ['-', '+'])]) {
    const [item, ...more] = waitingItems(waiting);
    expect(more).toEqual([]);
    expect(item?.text.lines.at(7)).toContain(authority('+', item?.text.lines.length === 1000 ? 7 : 6));
  }
});

test.each<[what: string, more: Record<string, unknown>, risk: string]>([
  ['no TLS verification', { insecureSkipTlsVerify: true }, 'TLS verification is off'],
  ['a proxy', { proxyUrl: 'http://proxy.example.com:3128' }, 'Goes through a proxy'],
  [
    'a server elsewhere',
    { server: 'https://evil.example.net' },
    'Its server is not among those of its inventory',
  ],
])('%s among 1,000 is listed by itself and first, and is not taken with all', (_, more, risk) => {
  const risky = [3, 500];
  for (const before of [[], indexes.map((index) => clusterOf(index))]) {
    const waiting = waitingOf(
      indexes.map((index) => clusterOf(index, risky.includes(index) ? more : { disableCompression: true })),
      before,
    );
    const items = waitingItems(waiting);
    expect(items.map(({ text }) => text.title.replace(/ \(.*/, ''))).toEqual([
      'cluster c-0003',
      'cluster c-0500',
      '998 clusters of fleet',
    ]);
    expect(items[0]?.text.risks).toContain(risk);
    expect(items.map(needsLook)).toEqual([true, true, false]);
    const taken = partOf(waiting, items.filter(isTakenWithAll));
    expect(taken).toMatchObject({ isAll: false, changes: { length: 998 } });
    expect(summaryOf(waiting)).toMatch(/2 need a closer look, shown first\.$/);
  }
});

test('what another provider says, and a change of CA behind a proxy, are no usual changes', () => {
  const proxied = { proxyUrl: 'http://proxy.example.com:3128' };
  const moved = { ...clusterOf(1, { ...proxied, server: 'https://other.example.com' }) };
  const eks = clusterOf(2);
  const gke = { ...eks, origin: eks.origin && { ...eks.origin, provider: 'gke' } };
  const items = waitingItems(waitingOf([moved, gke], [clusterOf(1, proxied), eks]));
  expect(items.map(({ text }) => text.risks)).toEqual([
    ['Sends credentials to another server'],
    ['Is another profile, or of another provider'],
  ]);
});

test('one that has much for itself stands by itself', () => {
  const long = (index: number) => clusterOf(index, { execConfig: { text: `${index}`.repeat(800) } });
  expect(waitingItems(waitingOf([long(1), long(2), clusterOf(3), clusterOf(4)]))).toHaveLength(3);
});

test('each sort is counted in its own plural', () => {
  const news = (what: string, count: number) =>
    Array.from({ length: count }, (_, index) => ({
      what,
      name: `${what}-${index}`,
      change: 'new',
      lines: [],
    }));
  const changes = [...news('account', 1), ...news('registry', 6), ...news('inventory', 2)];
  expect(summaryOf({ ...waitingOf([]), changes: changes as never })).toMatch(
    /^9 changes: 1 new account, 6 new registries, 2 new inventories\./,
  );
});
