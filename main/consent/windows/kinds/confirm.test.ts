import { describe, expect, test } from 'vitest';
import { Bindings } from '../../../access/bindings.ts';
import { FakeVault } from '../../../accounts/testing/fake-vault.ts';
import { Secret } from '../../../base/secret.ts';
import { defaultSettings } from '../../../contract/config/settings.ts';
import type { LoadedCluster, LoadedConfig } from '../../../domain/loaded-config.ts';
import {
  loadedAccount,
  loadedCluster,
  loadedInventory,
  loadedProfile,
} from '../../../domain/testing/loaded.ts';
import { noEntries } from '../../../domain/testing/no-entries.ts';
import { readFields } from '../window-request.ts';
import { confirmWindow } from './confirm.ts';

const markOf = (name: string) => {
  if (name.startsWith('lab')) {
    return { color: 'blue', text: name } as const;
  }
  return name.startsWith('prod') ? ({ color: 'red', text: 'prod' } as const) : null;
};

test('a change of a cluster has the mark of its name, and no other has', async () => {
  const loaded: LoadedConfig = {
    ...noEntries,
    clusters: new Map(
      ['prod-eu', 'dev'].map((name) => [
        name,
        loadedCluster(name, { server: `https://${name}`, account: 'bot' }),
      ]),
    ),
    settings: defaultSettings,
  };
  const config = { current: () => loaded };
  const vault = new FakeVault();
  const { content } = await confirmWindow({
    ...{ config, vault, bindings: new Bindings({ config, vault }), gate: () => null, markOf },
    recorder: { record: () => undefined },
    programs: { held: async () => [] },
    look: async () => ({ kind: 'missing', path: null }) as const,
  });
  const marks = content.changes?.map(({ title, marks }) => [
    title.split(' ')[1],
    marks?.map(({ text }) => text),
  ]);
  expect(Object.fromEntries(marks ?? [])).toEqual({ 'prod-eu': ['prod'], dev: undefined });
});

test('an approval names what the vault still has of accounts that config.yaml has no more', async () => {
  const bot = loadedAccount('bot', { staticToken: {} });
  const loaded: LoadedConfig = {
    ...noEntries,
    accounts: new Map([['bot', bot]]),
    settings: defaultSettings,
  };
  const config = { current: () => loaded };
  const vault = new FakeVault({ secrets: { old: { token: new Secret('t') } } });
  const window = await confirmWindow({
    ...{ config, vault, bindings: new Bindings({ config, vault }), gate: () => null, markOf },
    recorder: { record: () => undefined },
    programs: { held: async () => [] },
    look: async () => ({ kind: 'missing', path: null }) as const,
  });
  expect(await window.submit({}, 'yes')).toMatchObject({
    heading: 'Change approved',
    text: [
      '1 change: 1 new account.',
      'The vault still has the login or secrets of old. Remove them: lanyard account remove old',
    ],
  });
});

describe('profiles of an inventory', () => {
  const fleet = loadedInventory('fleet', {
    providers: [{ name: 'eks', account: 'bot' }],
    servers: ['*.example.com'],
  });
  const clusterAt = (name: string, server: string) => loadedProfile(name, { server }, name);

  async function windowOf(...clusters: LoadedCluster[]) {
    const loaded = {
      ...noEntries,
      clusters: new Map(clusters.map((each) => [each.name, each])),
      inventories: new Map([['fleet', fleet]]),
      settings: defaultSettings,
    } as LoadedConfig;
    const config = { current: () => loaded };
    const vault = new FakeVault();
    const bindings = new Bindings({ config, vault });
    await bindings.approve({ changes: bindings.changes().filter(({ what }) => what === 'inventory') });
    const window = await confirmWindow({
      ...{ config, vault, bindings, gate: () => null, markOf },
      recorder: { record: () => undefined },
      programs: { held: async () => [] },
      look: async () => ({ kind: 'missing', path: null }) as const,
    });
    return { window, pending: () => bindings.changes().map(({ name }) => name) };
  }
  const mixed = () =>
    windowOf(
      clusterAt('a', 'https://a.example.com'),
      clusterAt('evil', 'https://evil.example.net'),
      clusterAt('b', 'https://b.example.com'),
    );
  const checked = (...boxes: string[]) => Object.fromEntries(boxes.map((name) => [name, new Secret('on')]));

  test('have a box each; what deserves a second look is not checked', async () => {
    const { window } = await mixed();
    expect(window.content).toMatchObject({
      changes: [
        { title: 'cluster evil (new)', box: { name: 'item-0', isChecked: false } },
        { title: '2 clusters of fleet (new)', box: { name: 'item-1', isChecked: true } },
      ],
      yes: 'Approve selected',
      more: { label: 'Or also the one that needs a closer look' },
    });
  });

  test.each([
    [['prod-a', 'prod-b'], ['prod']],
    [['dev-a', 'prod-b', 'prod-c'], ['some: prod']],
    [
      ['lab-1', 'lab-2', 'prod-a'],
      ['some: lab-1', 'some: lab-2', 'some: prod'],
    ],
    [
      ['lab-1', 'lab-2', 'lab-3', 'lab-4', 'lab-5', 'prod-a'],
      ['some: lab-1', 'some: lab-2', 'some: lab-3', 'some: lab-4, and 2 more'],
    ],
    [['dev-a', 'dev-b'], undefined],
  ])('of several clusters, %j, have the marks of all: %j', async (names, marks) => {
    const { window } = await windowOf(
      clusterAt('evil', 'https://evil.example.net'),
      ...names.map((name) => clusterAt(name, `https://${name}.example.com`)),
    );
    const block = window.content.changes?.find(({ title }) => title.includes(' clusters of '));
    expect(block?.marks?.map(({ text }) => text)).toEqual(marks);
  });

  test.each([
    [['item-1'], 'yes', ['evil']],
    [['item-0'], 'yes', ['a', 'b']],
    [['item-0', 'item-1'], 'yes', []],
    [['item-1', 'item-7', '__proto__'], 'yes', ['evil']],
    [[], 'all', []],
  ])('are approved as they were selected: %j and %s', async (boxes, answer, left) => {
    const { window, pending } = await mixed();
    expect(await window.submit(checked(...boxes), answer)).toMatchObject({ kind: 'done', good: true });
    expect(pending()).toEqual(left);
  });

  test('of which none is selected are asked about again', async () => {
    const { window, pending } = await mixed();
    expect(await window.submit({}, 'yes')).toEqual({ kind: 'again', fault: 'Nothing is selected.' });
    expect(pending()).toHaveLength(3);
  });

  test('that all deserve a second look have as many boxes as a form may send', async () => {
    const many = Array.from({ length: 5_000 }, (_, index) =>
      clusterAt(`c-${index}`, `https://c-${index}.example.net`),
    );
    const { window } = await windowOf(...many);
    const boxes = (window.content.changes ?? []).flatMap(({ box }) => (box ? [box.name] : []));
    expect(boxes).toHaveLength(4_000);
    const body = new URLSearchParams({
      ...Object.fromEntries(boxes.map((name) => [name, 'on'])),
      token: 'x'.repeat(43),
      answer: 'yes',
    });
    const fields = await readFields(
      (async function* () {
        yield Buffer.from(body.toString());
      })(),
    );
    expect(Object.keys(fields ?? {})).toHaveLength(4_002);
  });
});
