import { existsSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { agree } from '../support/agree.ts';
import { profileObject } from '../support/inventory-hub.ts';
import { openPage, readAddress } from '../support/page-client.ts';
import { Stage, until } from '../support/stage.ts';

/** The calls by which a page lists, uses and drops profiles (rule: approval-outside-page). */
let stage: Stage;
type Value = Record<string, unknown>;
let page: Awaited<ReturnType<typeof openCalls>>;

const profile = (name: string, more: object = {}, provider = 'robots') =>
  profileObject('team', name, {
    metadata: { namespace: 'team', name, uid: `of-${name}`, ...more },
    status: {
      accessProviders: [
        {
          name: provider,
          cluster: {
            server: stage.api.server.replace('127.0.0.1', 'localhost'),
            'certificate-authority-data': Buffer.from(stage.api.caPem).toString('base64'),
          },
        },
      ],
    },
  });

const write = (...profiles: object[]) =>
  stage.home.write('fleet.yaml', profiles.map((each) => stringify(each)).join('---\n'));

beforeAll(async () => {
  stage = await Stage.open({
    extend: async (config, { home }) => {
      config.inventories = {
        fleet: {
          files: [home.write('fleet.yaml', '')],
          providers: [{ name: 'robots', account: 'bot' }],
          contexts: 3,
        },
      };
    },
  });
  await stage.setSecrets();
  write(
    profile('eu', { labels: { 'multicluster.x-k8s.io/inventory-member-id': 'c-1', tier: 'gold' } }),
    profile('us'),
    profile('ap', { labels: { 'multicluster.x-k8s.io/inventory-member-id': 'c-1' } }),
    profile('sa'),
    profile('other', {}, 'azure'),
  );
  page = await openCalls();
  await until(async () => ((await list())['total'] === 5 ? true : null), 'the profiles');
});
afterAll(() => stage?.dispose());

async function openCalls() {
  const { host, ticket } = readAddress((await stage.lanyard(['ui', '--no-open'])).stdout);
  const { page: client } = await openPage(host, ticket);
  const state = new Map<string, unknown>();
  let last = 0;
  return {
    state: (section: string, key: string) => state.get(`${section} ${key}`) as Value | undefined,
    async ask(name: string, input: object): Promise<{ output?: Value; failure?: Value }> {
      last += 1;
      client.send({ kind: 'call', id: last, name, input });
      for (;;) {
        const { kind, id, output, failure, entries } = await client.next();
        for (const [section, key, value] of (entries ?? []) as [string, string, unknown][]) {
          state.set(`${section} ${key}`, value);
        }
        if (id === last && kind !== 'progress') {
          return { output: output as Value, failure: failure as Value };
        }
      }
    },
  };
}

async function call(name: string, input: object): Promise<Value> {
  const { output, failure } = await page.ask(name, input);
  expect(failure).toBeUndefined();
  return output as Value;
}

const list = (query: object = {}) =>
  call('inventory.profiles', { search: '', filters: {}, group: null, offset: 0, most: 50, ...query });
const named = (name: string) => ({ inventory: 'fleet', namespace: 'team', name });
const stateOf = async (name: string) => {
  const { rows } = await list();
  return (rows as Value[]).find((each) => each['name'] === name)?.['state'];
};
const contexts = (): string[] => {
  const file = stage.home.file('kubeconfig');
  const found = existsSync(file) ? parse(readFileSync(file, 'utf8')) : null;
  return ((found as { contexts?: { name: string }[] } | null)?.contexts ?? []).map(({ name }) => name);
};

test('lists parts of what matches', async () => {
  const found = await list({ search: 'team', most: 2, offset: 1, group: 'provider' });
  expect(found).toMatchObject({ total: 5, matching: 5, groups: [{ value: 'robots' }, { value: '' }] });
  expect((found['rows'] as Value[]).map(({ name }) => name)).toEqual(['eu', 'sa']);
  expect(await call('inventory.matching', { search: '', filters: { state: ['unusable'] } })).toMatchObject({
    profiles: [named('other')],
  });
});

test('shows one in full', async () => {
  const shown = await call('inventory.profile', { profile: named('eu') });
  expect(shown).toMatchObject({
    contextName: 'eu',
    labels: [
      ['multicluster.x-k8s.io/inventory-member-id', 'c-1'],
      ['tier', 'gold'],
    ],
    memberId: 'c-1',
    alsoListed: { count: 1, profiles: [named('ap')] },
    why: 'robots is the only provider that the profile lists',
    warnings: ['Server: not among the servers of the inventory'],
    held: null,
  });
  expect(JSON.stringify(shown['facts'])).toContain('SHA-256');
});

test('used in a page: pending, and no context before it is approved elsewhere', async () => {
  expect(await call('inventory.use', { profiles: [named('eu'), named('us')] })).toEqual({
    contexts: ['eu', 'us'],
    held: 2,
    warnings: [],
  });
  expect(await stateOf('eu')).toBe('pending');
  expect(contexts()).not.toContain('eu');
  expect(await call('inventory.profile', { profile: named('eu') })).toMatchObject({
    held: { served: false },
  });
  await until(async () => {
    await list();
    const { profiles, accounts } = (page.state('inventories', 'fleet') ?? {}) as Value;
    return (profiles as Value | undefined)?.['pending'] === 2 && accounts ? true : null;
  }, 'the section');
  expect(page.state('inventories', 'fleet')).toMatchObject({
    state: 'live',
    hub: null,
    profiles: { total: 5, pending: 2, available: 2, unusable: 1 },
    accounts: [{ account: 'bot', inUse: 2 }],
  });
  await agree(stage.onTerminal(['confirm', 'eu']));
  await until(() => (contexts().includes('eu') ? true : null), 'its context');
  expect(await stateOf('eu')).toBe('inUse');
  expect(contexts()).not.toContain('us');
});

test('all or none: what can’t be used is named', async () => {
  const refused = [
    [[named('ap'), named('other')], 'fleet:team/other lists only access providers'],
    [[named('ap'), named('nothing')], 'no longer there'],
    [[named('ap'), named('sa')], '4 contexts of fleet would be more than its 3'],
  ] as const;
  for (const [profiles, message] of refused) {
    const { failure } = await page.ask('inventory.use', { profiles });
    expect(failure?.['message']).toContain(message);
  }
  expect(await stateOf('ap')).toBe('available');
  const { failure } = await page.ask('inventory.use', {
    profiles: Array.from({ length: 1_001 }, () => named('ap')),
  });
  expect(failure).toBeDefined();
});

test('dropped: its context goes, and its approval; used again it is pending again', async () => {
  expect(await call('inventory.drop', { profiles: [named('eu'), named('ap')] })).toEqual({
    contexts: ['eu'],
    warnings: [],
  });
  expect(contexts()).not.toContain('eu');
  expect(await call('inventory.use', { profiles: [named('eu')] })).toMatchObject({ held: 1 });
  expect(await stateOf('eu')).toBe('pending');
});

test('one that is gone from its inventory is dropped, too', async () => {
  write(profile('us'), profile('ap'), profile('sa'), profile('other', {}, 'azure'));
  await until(async () => ((await list())['total'] === 4 ? true : null), 'its end');
  expect(await call('inventory.drop', { profiles: [named('eu'), named('nothing')] })).toMatchObject({
    contexts: ['eu'],
  });
});

test('a sync says what it read, or what is wrong', async () => {
  expect(await call('inventory.sync', { inventory: 'fleet' })).toEqual({ fault: null, profiles: 4 });
  expect(await call('inventory.sync', { inventory: 'none' })).toMatchObject({
    fault: expect.stringContaining('isn’t read'),
  });
});

test('locked: nothing is listed', async () => {
  await stage.lanyard(['lock']);
  for (const [name, input] of [
    ['inventory.profiles', { search: '', filters: {}, group: null, offset: 0, most: 1 }],
    ['inventory.profile', { profile: named('eu') }],
    ['inventory.use', { profiles: [named('ap')] }],
    ['inventory.drop', { profiles: [named('us')] }],
    ['inventory.sync', { inventory: 'fleet' }],
    ['inventory.problems', { inventory: 'fleet' }],
  ] as const) {
    const { failure } = await page.ask(name, input);
    expect(failure?.['message'], name).toMatch(/locked/);
  }
});
