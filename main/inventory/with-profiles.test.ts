import { describe, expect, test } from 'vitest';
import { createListeners } from '../base/listeners.ts';
import {
  account as accountSchema,
  cluster as clusterSchema,
  defaultSettings,
} from '../contract/config/config.ts';
import { inventory as inventorySchema } from '../contract/config/inventory.ts';
import type { ChosenProfile } from '../domain/inventory/chosen-profiles.ts';
import type { Profile } from '../domain/inventory/profile.ts';
import type { LoadedConfig } from '../domain/loaded-config.ts';
import { noEntries } from '../domain/testing/no-entries.ts';
import type { AccountDrafts, ConfigStore } from '../ports/config-store.ts';
import { Resolutions } from './resolutions.ts';
import { aProfile } from './testing/a-profile.ts';
import { withProfiles } from './with-profiles.ts';

const loaded = <Config>(name: string, config: Config) => ({ name, config, certificateAuthorityPem: null });

const file: LoadedConfig = {
  ...noEntries,
  settings: defaultSettings,
  accounts: new Map([['corp', loaded('corp', accountSchema.parse({ staticToken: {} }))]]),
  clusters: new Map([
    ['own', loaded('own', clusterSchema.parse({ server: 'https://own.example.com', account: 'corp' }))],
  ]),
  inventories: new Map([
    [
      'fleet',
      loaded(
        'fleet',
        inventorySchema.parse({ files: ['/profiles'], providers: [{ name: 'google', account: 'corp' }] }),
      ),
    ],
  ]),
};

/** `chosen` of profiles by name: each under its own name, unless told otherwise. */
function setUp(profiles: Profile[], chosen: Partial<ChosenProfile>[]) {
  const state = {
    config: file,
    profiles,
    chosen: chosen.map(
      (each): ChosenProfile => ({
        inventory: 'fleet',
        namespace: 'team',
        name: 'eu',
        uid: 'uid-of-team-eu',
        contextName: each.name ?? 'eu',
        chosen: 'user',
        ...each,
      }),
    ),
  };
  const [ofFile, ofUsed, ofKnown] = [createListeners(), createListeners(), createListeners()];
  const config = {
    current: () => state.config,
    onChange: ofFile.add,
    problems: () => [],
  } as unknown as ConfigStore & AccountDrafts;
  const merged = withProfiles({
    config,
    used: { current: () => state.chosen, onChange: ofUsed.add },
    known: {
      profile: ({ inventory, namespace, name }) =>
        state.profiles.find(
          (each) => each.inventory === inventory && each.namespace === namespace && each.name === name,
        ) ?? null,
      onChange: ofKnown.add,
    },
    resolutions: new Resolutions(),
  });
  let told = 0;
  merged.onChange(() => {
    told += 1;
  });
  return { state, merged, ofFile, ofUsed, ofKnown, told: () => told };
}

const names = ({ merged }: ReturnType<typeof setUp>) => [...merged.current().clusters.keys()];

const at = (name: string, server: string, more: object = {}) => {
  const profile = aProfile('team', name);
  return { ...profile, providers: profile.providers.map((each) => ({ ...each, server, ...more })) };
};

describe('a profile in use', () => {
  test('is a cluster with its origin, after those of config.yaml', () => {
    const parts = setUp([aProfile('team', 'eu')], [{}]);
    expect(names(parts)).toEqual(['own', 'eu']);
    expect(parts.merged.current().clusters.get('eu')).toMatchObject({
      config: { server: 'https://eu.example.com', account: 'corp' },
      origin: { inventory: 'fleet', namespace: 'team', name: 'eu', uid: 'uid-of-team-eu' },
    });
  });

  test.each<[string, Profile[], Partial<ChosenProfile>]>([
    ['it is gone', [], {}],
    ['it was made again', [aProfile('team', 'eu', { uid: 'another' })], {}],
    ['it was dropped', [aProfile('team', 'eu')], { chosen: 'no' }],
    ['it can’t be resolved', [aProfile('team', 'eu', { providers: [] })], {}],
    ['its inventory is gone', [aProfile('team', 'eu', { inventory: 'other' })], { inventory: 'other' }],
    ['config.yaml has its name', [aProfile('team', 'eu')], { contextName: 'own' }],
    [
      'its server is config.yaml’s, by a proxy',
      [at('eu', 'https://own.example.com', { proxyUrl: 'http://p.example.com' })],
      {},
    ],
  ])('is none where %s', (_, profiles, chosen) => {
    const parts = setUp(profiles, [chosen]);
    expect(parts.merged.current()).toMatchObject({ clusters: file.clusters });
    expect(parts.merged.current().clusters.get('own')?.origin).toBeUndefined();
  });

  test('comes before another one with its server and another way there', () => {
    const profiles = [
      at('eu', 'https://x.example.com'),
      at('us', 'https://x.example.com', { insecureSkipTlsVerify: true }),
    ];
    const us = { name: 'us', uid: 'uid-of-team-us' };
    expect(names(setUp(profiles, [{}, us]))).toEqual(['own', 'eu']);
    expect(names(setUp(profiles, [us, {}]))).toEqual(['own', 'us']);
  });
});

describe('the configuration', () => {
  test('is config.yaml’s own object where nothing is in use', () => {
    expect(setUp([aProfile('team', 'eu')], []).merged.current()).toBe(file);
  });

  test('is told of where a profile in use changes, and nowhere else', () => {
    const parts = setUp([aProfile('team', 'eu'), aProfile('team', 'us')], [{}]);
    const before = parts.merged.current();
    parts.state.profiles = [aProfile('team', 'eu'), at('us', 'https://other.example.com')];
    parts.ofKnown.tell();
    expect(parts.told()).toBe(0);
    expect(parts.merged.current()).toBe(before);
    parts.state.profiles = [at('eu', 'https://other.example.com')];
    parts.ofKnown.tell();
    expect(parts.told()).toBe(1);
    expect(parts.merged.current().clusters.get('own')).toBe(before.clusters.get('own'));
    expect(parts.merged.current().clusters.get('eu')?.config.server).toBe('https://other.example.com');
  });

  test('is told of at each change of config.yaml, whose problems may have changed', () => {
    const parts = setUp([], []);
    parts.ofFile.tell();
    expect(parts.told()).toBe(1);
  });
});
