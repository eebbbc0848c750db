import { describe, expect, test } from 'vitest';
import { type Refusal, refuse } from '../../contract/refusal.ts';
import type { ChosenProfile } from '../../domain/inventory/chosen-profiles.ts';
import type { Resolution } from '../../domain/inventory/resolve-profile.ts';
import { loadedInventory } from '../../domain/testing/loaded.ts';
import type { InventoryState, ProfileProblem } from '../../inventory/inventory-state.ts';
import type { SourceFaultCode } from '../../inventory/source-fault.ts';
import { aProfile } from '../../inventory/testing/a-profile.ts';
import { liveInventory } from '../../inventory/testing/live-inventory.ts';
import type { Check } from '../check.ts';
import { contextsCheck } from './contexts-check.ts';
import { inventoryCheck } from './inventory-check.ts';
import type { CheckedProfile } from './inventory-side.ts';
import { profilesCheck } from './profiles-check.ts';

const hour = 3_600_000;
const good = liveInventory({ servedVersion: 'v1alpha1' });

const run = async (check: Check) =>
  (await check.run(new AbortController().signal)).map(
    ({ level, message, hint }) => `${level}: ${message} (${hint})`,
  );

interface Of {
  locked?: Refusal;
  isServed?: boolean;
  account?: Refusal;
  hub?: Refusal;
  state?: Partial<InventoryState> | null;
  problems?: ProfileProblem[];
}

function ofInventory({ locked, isServed = true, account, hub, state = {}, problems = [] }: Of = {}) {
  const check = inventoryCheck(
    loadedInventory('fleet', { providers: [{ name: 'google', account: 'robots' }] }),
    {
      gate: () => locked ?? null,
      isServed: () => isServed,
      directory: {
        account: () => account ?? ({ ok: true } as never),
        cluster: () => hub ?? ({ ok: true, cluster: { config: { account: 'corp' } } } as never),
      },
      inventories: {
        profile: () => null,
        state: () => (state === null ? null : { ...good, ...state }),
        problems: () => problems,
      },
    },
  );
  return run(check);
}

describe('an inventory', () => {
  test('in sync says so, with the version that its hub serves', async () => {
    expect(await ofInventory()).toEqual(['ok: it is in sync (v1alpha1, older than v1alpha2) (null)']);
    expect(await ofInventory({ state: { servedVersion: 'v1alpha2' } })).toEqual([
      'ok: it is in sync (v1alpha2) (null)',
    ]);
    expect(await ofInventory({ state: { servedVersion: null } })).toEqual(['ok: it is in sync (null)']);
  });

  test.each<[string, Of, string]>([
    [
      'Lanyard is locked',
      { locked: refuse('locked', 'x', 'locked', 'lanyard unlock') },
      'note: not checked: locked (lanyard unlock)',
    ],
    [
      'it is pending',
      { isServed: false },
      'warning: it is pending approval, and isn’t read until then (lanyard confirm fleet)',
    ],
    [
      'its hub is gone',
      { hub: refuse('notFound', 'x', 'there is no cluster hub', 'lanyard cluster list') },
      'problem: its hub can’t be used: there is no cluster hub (lanyard cluster list)',
    ],
    [
      'it was never read completely',
      { state: { kind: 'starting', lastSyncAt: null, lagMilliseconds: null } },
      'note: it is being read; it was never read completely (lanyard inventory sync fleet)',
    ],
  ])('%s', async (_, of, line) => {
    expect(await ofInventory(of)).toEqual([line]);
  });

  test('without the account of a provider names the provider', async () => {
    const account = refuse('notFound', 'x', 'there is no account robots', 'lanyard account list');
    expect(await ofInventory({ account })).toContain(
      'problem: profiles of the provider google get no credential: there is no account robots (lanyard account list)',
    );
  });

  test.each<[SourceFaultCode, string, string]>([
    ['noCredential', 'problem', 'lanyard status'],
    ['unauthorized', 'problem', 'check the account corp'],
    ['forbidden', 'problem', 'can let corp get, list and watch clusterprofiles'],
    ['notServed', 'problem', 'install the CRD'],
    ['expired', 'problem', 'forgets its changes too soon'],
    ['throttled', 'warning', 'tried again automatically'],
    ['unreachable', 'problem', 'lanyard inventory sync fleet'],
    ['endless', 'problem', 'set namespaces or labelSelector of fleet'],
    ['emptied', 'warning', 'the second list'],
    ['file', 'problem', 'fix the file'],
  ])('with %s says what to do, and how old its profiles are', async (code, level, hint) => {
    const trouble = { code, text: 'it is wrong' };
    const [line] = await ofInventory({ state: { kind: 'stale', lagMilliseconds: 3 * hour, trouble } });
    expect(line).toContain(`${level}: it is wrong; its profiles are as of 3 h ago`);
    expect(line).toContain(hint);
  });

  test('over its quota is in sync all the same: no age', async () => {
    const [line] = await ofInventory({ state: { trouble: { code: 'overQuota', text: 'too many' } } });
    expect(line).toBe('warning: too many (set namespaces or labelSelector of fleet in config.yaml)');
  });

  test('names a few of the objects that are left out, with bounded text', async () => {
    const problems = Array.from({ length: 900 }, (_, at) => ({
      namespace: 'team',
      name: `p${at}`,
      text: `\u202e${'x'.repeat(5_000)}`,
    }));
    const [, line = ''] = await ofInventory({ problems });
    expect(line).toContain('900 objects are left out: team/p0: ');
    expect(line).toContain('and 897 more (lanyard inventory list --inventory fleet)');
    expect(line).not.toContain('\u202e');
    expect(line.length).toBeLessThan(800);
  });
});

const resolved: Resolution = {
  ok: true,
  provider: 'google',
  why: '',
  config: {} as never,
  certificateAuthorityPem: null,
  isExpectedServer: true,
  rewrittenFrom: null,
  ignored: [],
};
const fault: Resolution = { ok: false, reason: 'noStatus', message: 'has no status', provider: null };

function row(
  name: string,
  state: CheckedProfile['state'],
  more: Partial<CheckedProfile> = {},
): CheckedProfile {
  const profile = aProfile('team', name);
  const isUsed = state !== 'available';
  return {
    profile,
    resolution: state === 'unusable' ? fault : resolved,
    chosen: isUsed ? chosenOf(name) : null,
    state,
    ...more,
  };
}

function chosenOf(name: string): ChosenProfile {
  return {
    inventory: 'fleet',
    namespace: 'team',
    name,
    uid: null,
    contextName: `ctx-${name}`,
    chosen: 'user',
  };
}

function ofProfiles(rows: CheckedProfile[], gone: string[] = [], state: Partial<InventoryState> = {}) {
  return run(
    profilesCheck('fleet', {
      gate: () => null,
      inventories: {
        profile: ({ name }) => rows.find(({ profile }) => profile.name === name)?.profile ?? null,
        state: () => ({ ...good, ...state }),
        problems: () => [],
      },
      used: { current: () => [...rows.flatMap(({ chosen }) => chosen ?? []), ...gone.map(chosenOf)] },
      profiles: {
        read: async () => ({
          rows: [...rows, row('else', 'unusable', { profile: aProfile('x', 'y', { inventory: 'other' }) })],
        }),
      },
    }),
  );
}

describe('profiles', () => {
  test('in use are counted, and each trouble of them has its remedy', async () => {
    const rows = [
      row('a', 'inUse'),
      row('b', 'pending'),
      row('c', 'remade'),
      row('d', 'refused'),
      row('e', 'unusable'),
      row('f', 'unusable'),
      row('free', 'available'),
    ];
    expect(await ofProfiles(rows, ['away'])).toEqual([
      'problem: 2 profiles in use can’t be used: team/e has no status; team/f has no status (lanyard inventory list --inventory fleet --in-use)',
      'warning: one profile in use has the name or server of another cluster: team/d (remove that cluster, or run: lanyard inventory drop ctx-d)',
      'warning: one profile in use was made again: team/c (lanyard inventory use fleet:team/c)',
      'warning: one profile in use pending approval: team/b (lanyard confirm)',
      'ok: one profile in use, approved (null)',
      'warning: one profile in use is no longer in the inventory: team/away (to remove the first: lanyard inventory drop ctx-away)',
    ]);
  });

  test('that aren’t in use and can’t be are one note', async () => {
    const rows = Array.from({ length: 500 }, (_, at) => row(`p${at}`, 'unusable', { chosen: null }));
    expect(await ofProfiles([...rows, row('free', 'available')])).toEqual([
      'note: 500 of 501 other profiles can’t be used: team/p0 has no status; team/p1 has no status; team/p2 has no status; and 497 more (lanyard inventory list --inventory fleet)',
    ]);
  });

  test('of which a policy ignores something are named', async () => {
    const ignored = [
      { what: { variable: 'AWS_PROFILE' }, why: 'notAllowed' as const },
      { what: 'arguments' as const, why: 'policy' as const },
    ];
    const [line] = await ofProfiles([row('a', 'inUse', { resolution: { ...resolved, ignored } })]);
    expect(line).toBe(
      'note: what profiles in use state is ignored: team/a: AWS_PROFILE: it is not in allowedEnvVars, additional arguments: the provider’s policy is Ignore (if it should count, change the policies of the provider of fleet in config.yaml)',
    );
  });

  test('aren’t gone before the first list', async () => {
    expect(await ofProfiles([], ['away'], { lastSyncAt: null })).toEqual([]);
  });
});

test('more than 200 contexts are a note, if profiles are among them', async () => {
  const clusters = (count: number, origin?: object) =>
    new Map(Array.from({ length: count }, (_, at) => [`c${at}`, { origin } as never]));
  expect(await run(contextsCheck({ clusters: clusters(201, {}) }))).toEqual([
    expect.stringContaining('note: the managed kubeconfig has up to 201 contexts, 201 of them profiles'),
  ]);
  expect(await run(contextsCheck({ clusters: clusters(200, {}) }))).toEqual([]);
  expect(await run(contextsCheck({ clusters: clusters(201) }))).toEqual([]);
});
