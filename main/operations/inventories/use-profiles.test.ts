import { expect, test } from 'vitest';
import { account } from '../../contract/config/config.ts';
import { inventory } from '../../contract/config/inventory.ts';
import type { PendingChange } from '../../domain/approval/binding.ts';
import { type ChosenProfile, withChosen } from '../../domain/inventory/chosen-profiles.ts';
import { readProfile } from '../../domain/inventory/read-profile.ts';
import { profileObject } from '../../domain/inventory/testing/a-profile.ts';
import { type LoadedConfig, loadedEntries } from '../../domain/loaded-config.ts';
import { Resolutions } from '../../inventory/resolutions.ts';
import type { ProfileRow } from './profile-rows.ts';
import { prepareUse, type UseProfilesDeps, useProfiles } from './use-profiles.ts';

const config = {
  ...loadedEntries(() => new Map()),
  accounts: new Map([
    ['corp', { name: 'corp', config: account.parse({ staticToken: {} }), certificateAuthorityPem: null }],
  ]),
  inventories: new Map([
    [
      'fleet',
      {
        name: 'fleet',
        config: inventory.parse({ cluster: 'hub', providers: [{ name: 'google', account: 'corp' }] }),
        certificateAuthorityPem: null,
      },
    ],
  ]),
} as unknown as LoadedConfig;

const naming = { template: () => '{name}', isTaken: () => false };

function rowOf(namespace: string): ProfileRow {
  const accessProviders = [{ name: 'google', cluster: { server: `https://${namespace}.example.com` } }];
  const object = profileObject({ metadata: { namespace, uid: namespace }, status: { accessProviders } });
  const read = readProfile(object, 'fleet');
  const resolution = read.ok ? new Resolutions().of(read.profile, config) : null;
  if (!read.ok || resolution === null) {
    throw new Error('it is no profile');
  }
  return { profile: read.profile, resolution, chosen: null, state: 'available' };
}

test('a name that another profile got while the user was asked is not approved for this one', async () => {
  let chosen: readonly ChosenProfile[] = [];
  const approved: unknown[] = [];
  const deps: UseProfilesDeps = {
    config: { current: () => config },
    bindings: {
      changesTo: () => [{ what: 'cluster', name: 'prod' } as PendingChange],
      approve: async (shown) => void approved.push(shown),
      forget: async () => undefined,
    },
    vault: { read: () => ({}) as never },
    recorder: { record: () => undefined } as never,
    used: {
      current: () => chosen,
      onChange: () => ({ dispose: () => undefined }),
      update: async (next) => {
        chosen = next(chosen);
      },
    },
    writeContexts: async () => [],
  };
  const prepared = prepareUse([rowOf('team')], deps);
  expect(prepared.clusters.map(({ name }) => name)).toEqual(['prod']);
  chosen = withChosen([], [rowOf('evil').profile], naming);
  await expect(useProfiles(prepared, deps, { confirms: true })).rejects.toMatchObject({
    code: 'inventory.changed',
  });
  expect(approved).toEqual([]);
  expect(chosen).toHaveLength(1);
});
