import { expect, test } from 'vitest';
import type { AccountView, ClusterView, UiState } from '../../../main/contract/ui/state.ts';
import { found, paletteEntries } from './entries.ts';

const cluster = (name: string) =>
  [name, { name, server: `https://${name}.example:6443` } as ClusterView] as const;
const account = (name: string, kind: AccountView['kind']) =>
  [name, { name, kind, subject: null } as AccountView] as const;
const state = (clusters: readonly string[], lock = 'open') =>
  ({
    clusters: Object.fromEntries(clusters.map(cluster)),
    inventories: { fleet: { name: 'fleet', hub: 'prod-hub', files: [] } },
    registries: { ghcr: { name: 'ghcr', matchImages: ['ghcr.io/team'] } },
    accounts: Object.fromEntries([
      account('corp', 'oidc'),
      account('bot', 'staticToken'),
      account('eks', 'execPlugin'),
    ]),
    lock: { '': { kind: lock } },
  }) as unknown as UiState;
const titles = (entries: { title: string }[]) => entries.map(({ title }) => title);

test('a cluster is found by its name and by its server', () => {
  const entries = paletteEntries(state(['prod-eu', 'staging']));
  expect(titles(found(entries, 'prod-eu'))[0]).toBe('prod-eu');
  expect(titles(found(entries, 'staging.example'))[0]).toBe('staging');
});

test('a registry is found by its name and by its patterns', () => {
  const entries = paletteEntries(state([]));
  expect(titles(found(entries, 'ghcr'))[0]).toBe('ghcr');
  expect(titles(found(entries, 'ghcr.io/team'))).toEqual(['ghcr']);
});

test('an inventory is found by its name and its hub, and can be synced', () => {
  const entries = paletteEntries(state([]));
  expect(titles(found(entries, 'prod-hub'))).toEqual(['fleet']);
  expect(titles(found(entries, 'sync fleet'))).toEqual(['Sync fleet']);
});

test('actions are found by their names, and only those that are possible', () => {
  const entries = paletteEntries(state(['prod-eu']));
  expect(titles(found(entries, 'renew prod'))).toContain('Renew prod-eu');
  expect(titles(found(entries, 'log in'))).toEqual(['Log in to corp']);
  expect(titles(paletteEntries(state([], 'gate')))).not.toContain('Lock');
});

test('before anything is typed there is a little of each group, and no more of a thousand clusters', () => {
  const entries = paletteEntries(state(Array.from({ length: 1000 }, (_, index) => `cluster-${index}`)));
  const shown = found(entries, '');
  expect(shown.length).toBeLessThan(30);
  expect(new Set(shown.map(({ group }) => group))).toEqual(
    new Set(['Clusters', 'Inventories', 'Registries', 'Accounts', 'Actions']),
  );
  expect(found(entries, 'cluster').length).toBeLessThan(30);
});
