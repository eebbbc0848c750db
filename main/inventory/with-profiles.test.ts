import { describe, expect, test } from 'vitest';
import { createListeners } from '../base/listeners.ts';
import { account as accountSchema } from '../contract/config/accounts/account.ts';
import { cluster as clusterSchema } from '../contract/config/cluster.ts';
import { inventory as inventorySchema } from '../contract/config/inventory.ts';
import { defaultSettings } from '../contract/config/settings.ts';
import { clusterShape } from '../domain/approval/cluster-shape.ts';
import type { ChosenProfile } from '../domain/inventory/chosen-profiles.ts';
import type { Profile } from '../domain/inventory/profile.ts';
import type { ApprovedShapes } from '../domain/inventory/uncontested.ts';
import type { LoadedCluster, LoadedConfig } from '../domain/loaded-config.ts';
import { noEntries } from '../domain/testing/no-entries.ts';
import type { AccountDrafts, ConfigStore } from '../ports/config-store.ts';
import { Resolutions } from './resolutions.ts';
import { aProfile } from './testing/a-profile.ts';
import { withProfiles } from './with-profiles.ts';

const loaded = <Config>(name: string, config: Config) => ({ name, config, certificateAuthorityPem: null });

const own = clusterSchema.parse({ server: 'https://own.example.com', account: 'corp' });
const providers = [{ name: 'google', account: 'corp' }];
const fleet = inventorySchema.parse({ files: ['/profiles'], providers });
const file: LoadedConfig = {
  ...noEntries,
  settings: defaultSettings,
  accounts: new Map([['corp', loaded('corp', accountSchema.parse({ staticToken: {} }))]]),
  clusters: new Map([['own', loaded('own', own)]]),
  inventories: new Map([['fleet', loaded('fleet', fleet)]]),
};

/** `chosen` of profiles by name: each under its own name, unless told otherwise. */
function setUp(profiles: Profile[], chosen: Partial<ChosenProfile>[], approved: ApprovedShapes = {}) {
  const state = {
    config: file,
    profiles,
    approved,
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
  const [ofFile, ofUsed] = [createListeners(), createListeners()];
  const [ofKnown, ofApprovals] = [createListeners(), createListeners()];
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
    approvals: { current: () => state.approved, onChange: ofApprovals.add },
  });
  let told = 0;
  merged.onChange(() => {
    told += 1;
  });
  return { state, merged, ofFile, ofUsed, ofKnown, ofApprovals, told: () => told };
}

const names = ({ merged }: ReturnType<typeof setUp>) => [...merged.current().clusters.keys()];

const at = (name: string, server: string, more: object = {}) => {
  const profile = aProfile('team', name);
  return { ...profile, providers: profile.providers.map((each) => ({ ...each, server, ...more })) };
};

describe('a profile in use', () => {
  const ownByProxy = at('eu', 'https://own.example.com', { proxyUrl: 'http://p.example.com' });

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
    ['its server is config.yaml’s, by a proxy', [ownByProxy], {}],
  ])('is none where %s', (_, profiles, chosen) => {
    const parts = setUp(profiles, [chosen]);
    expect(parts.merged.current()).toMatchObject({ clusters: file.clusters });
    expect(parts.merged.current().clusters.get('own')?.origin).toBeUndefined();
  });
});

// (rule: remote-inventory)
describe('two profiles in use with one server, and different ways to it', () => {
  const server = 'https://x.example.com';
  const eu = at('eu', server);
  const us = at('us', server, { insecureSkipTlsVerify: true });
  const ofUs = { name: 'us', uid: 'uid-of-team-us' };
  const auto: Partial<ChosenProfile> = { chosen: 'selector' };
  /** The approval of a profile as it is. */
  const approvalOf = (profile: Profile) => {
    const { merged } = setUp([profile], [{ name: profile.name, uid: profile.uid }]);
    const cluster = merged.current().clusters.get(profile.name);
    return { [profile.name]: clusterShape(cluster as LoadedCluster) };
  };

  const usByProxy = at('us', server, { proxyUrl: 'http://p.example.com' });
  const [autoUs, euElsewhere] = [{ ...ofUs, ...auto }, approvalOf(at('eu', 'https://other.example.com'))];
  const usElsewhere = approvalOf(at('us', 'https://another.example.com'));
  const euInsecure = approvalOf(at('eu', server, { insecureSkipTlsVerify: true }));
  const otherUid = approvalOf({ ...us, uid: 'another' });
  test.each<[string, Profile[], Partial<ChosenProfile>[], Record<string, string>, string[]]>([
    ['neither is believed', [eu, us], [auto, autoUs], {}, []],
    ['neither of those that the user chose is', [eu, us], [{}, ofUs], {}, []],
    ['the one that the user chose is', [eu, us], [auto, ofUs], {}, ['us']],
    ['the approved one is, whatever was first', [eu, us], [{}, autoUs], approvalOf(us), ['us']],
    [
      'one approved for the server comes before newcomers, as it changes',
      [eu, usByProxy],
      [{}, ofUs],
      approvalOf(us),
      ['us'],
    ],
    [
      'one approved with another server does, too: it goes on serving',
      [eu, us],
      [auto, ofUs],
      euElsewhere,
      ['eu'],
    ],
    [
      'two approved with other servers both stay',
      [eu, us],
      [auto, autoUs],
      { ...euElsewhere, ...usElsewhere },
      ['eu', 'us'],
    ],
    [
      'one approved with another server yields to one that is approved with it',
      [eu, us],
      [auto, autoUs],
      { ...euElsewhere, ...approvalOf(us) },
      ['us'],
    ],
    [
      'one that stays as it was approved comes before one that changes',
      [eu, us],
      [{}, ofUs],
      { ...approvalOf(us), ...euInsecure },
      ['us'],
    ],
    ['an approval of another profile under the name tells nothing', [eu, us], [auto, autoUs], otherUid, []],
    ['those that agree are', [eu, at('us', server)], [auto, ofUs], {}, ['eu', 'us']],
  ])('%s', (_, profiles, chosen, approved, expected) => {
    expect(names(setUp(profiles, chosen, approved))).toEqual(['own', ...expected]);
  });

  test('are both there while it isn’t known what was approved', () => {
    expect(names(setUp([eu, us], [auto, ofUs], null))).toEqual(['own', 'eu', 'us']);
  });

  test('are compared anew once one is approved; a lock changes nothing', () => {
    const parts = setUp([eu, us], [{}, ofUs]);
    expect(names(parts)).toEqual(['own']);
    parts.state.approved = approvalOf(us);
    parts.ofApprovals.tell();
    expect([parts.told(), ...names(parts)]).toEqual([1, 'own', 'us']);
    parts.state.approved = null;
    parts.ofApprovals.tell();
    expect([parts.told(), ...names(parts)]).toEqual([1, 'own', 'us']);
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
