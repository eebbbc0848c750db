import { type Health, healthOf } from '../../../main/contract/ui/health.ts';
import { type ShortName, shortNames } from '../../../main/contract/ui/short-name.ts';
import type { ClusterView, UiState } from '../../../main/contract/ui/state.ts';
import { match } from './match.ts';

export type PaletteGroup = 'Clusters' | 'Inventories' | 'Registries' | 'Accounts' | 'Actions';

/** The actions of the palette. use-palette-actions.ts runs them. */
export type PaletteDoes =
  | { does: 'go'; href: string }
  | { does: 'logIn'; account: string }
  | { does: 'logOut'; account: string }
  | { does: 'renew'; cluster: string }
  | { does: 'copyLine'; cluster: string }
  | { does: 'useContext'; cluster: string }
  | { does: 'openTerminal'; cluster: string }
  | { does: 'sync'; inventory: string }
  | { does: 'lock' }
  | { does: 'theme'; theme: 'system' | 'light' | 'dark' }
  | { does: 'keys' };

export interface PaletteEntry {
  id: string;
  group: PaletteGroup;
  title: string;
  detail: string | null;
  /** The whole name, where the title is a short one. */
  full: string;
  /** More that finds it. */
  words: readonly string[];
  /** Null: it has none. */
  health: Health | null;
  mark: ClusterView['mark'];
  /** Whether to show it before anything is typed. */
  first: boolean;
  what: PaletteDoes;
}

/** All entries that can be found, from the state; the clusters that were used last come first. */
export function paletteEntries(
  {
    clusters,
    inventories,
    registries,
    accounts,
    lock,
  }: Pick<UiState, 'clusters' | 'inventories' | 'registries' | 'accounts' | 'lock'>,
  now: number,
): PaletteEntry[] {
  const entries: PaletteEntry[] = [];
  const add = (
    group: PaletteGroup,
    title: string,
    detail: string | null,
    what: PaletteDoes,
    first = false,
    more: Partial<Pick<PaletteEntry, 'full' | 'words' | 'health' | 'mark'>> = {},
  ) =>
    entries.push({
      ...{ id: `${group} ${title}`, group, title, detail, first, what },
      ...{ full: title, words: [], health: null, mark: null, ...more },
    });
  const go = (href: string): PaletteDoes => ({ does: 'go', href });
  const used = Object.values(clusters).sort((a, b) => (b.lastCall?.at ?? 0) - (a.lastCall?.at ?? 0));
  const clusterNames = shortNames(used);
  const accountNames = shortNames(Object.values(accounts));
  for (const cluster of used) {
    const { name, displayName, aliases, labels, server, account, mark } = cluster;
    const { short, detail } = shownIn(clusterNames, name);
    const pairs = Object.entries(labels).map(([key, value]) => `${key}=${value}`);
    add(
      'Clusters',
      short,
      detail ?? server.replace(/^https:\/\//, ''),
      go(`#/clusters/${encodeURIComponent(name)}`),
      true,
      {
        full: name,
        words: [name, displayName ?? '', ...aliases, ...pairs, server, account],
        health: healthOf(cluster, now),
        mark,
      },
    );
  }
  for (const { name, hub, files } of Object.values(inventories)) {
    add('Inventories', name, hub ?? files.join(' '), go(`#/inventories/${encodeURIComponent(name)}`), true);
  }
  for (const { name, matchImages } of Object.values(registries)) {
    add('Registries', name, matchImages.join(' '), go(`#/registries/${encodeURIComponent(name)}`), true);
  }
  for (const { name, subject } of Object.values(accounts)) {
    const { short, detail } = shownIn(accountNames, name);
    add('Accounts', short, subject ?? detail, go(`#/accounts/${encodeURIComponent(name)}`), true, {
      full: name,
      words: [name],
    });
  }
  for (const [title, view] of views) {
    add('Actions', title, null, go(`#/${view}`), true);
  }
  if (lock['']?.kind === 'open') {
    add('Actions', 'Lock', 'Nothing is issued until it is unlocked', { does: 'lock' }, true);
  }
  for (const [title, theme] of themes) {
    add('Actions', title, 'Appearance', { does: 'theme', theme });
  }
  add('Actions', 'Keyboard shortcuts', null, { does: 'keys' }, true);
  for (const { name, kind } of Object.values(accounts)) {
    if (kind === 'oidc') {
      add('Actions', `Log in to ${name}`, 'account', { does: 'logIn', account: name });
      add('Actions', `Log out of ${name}`, 'account', { does: 'logOut', account: name });
    }
  }
  for (const { name, displayName } of used) {
    // What it is called may look like another’s name.
    const beside = displayName !== null && displayName !== name ? name : null;
    const { short } = shownIn(clusterNames, name);
    const act = (title: (called: string) => string, of: string, what: PaletteDoes) =>
      add('Actions', title(short), beside ?? of, what, false, { words: [title(name)] });
    act((called) => `Renew ${called}`, 'cluster', { does: 'renew', cluster: name });
    act((called) => `Copy kubectl command for ${called}`, 'cluster', { does: 'copyLine', cluster: name });
    act((called) => `Set ${called} as current context`, 'kubectl', { does: 'useContext', cluster: name });
    act((called) => `Open terminal for ${called}`, 'kubectl', { does: 'openTerminal', cluster: name });
  }
  for (const { name } of Object.values(inventories)) {
    add('Actions', `Sync ${name}`, 'inventory', { does: 'sync', inventory: name });
  }
  return entries;
}

function shownIn(names: ReadonlyMap<string, ShortName>, name: string): ShortName {
  return names.get(name) ?? { short: name, detail: null };
}

const views = [
  ['Open Clusters', 'clusters'],
  ['Open Inventories', 'inventories'],
  ['Open Registries', 'registries'],
  ['Open Accounts', 'accounts'],
  ['Open Activity', 'activity'],
  ['Open Metrics', 'metrics'],
  ['Open Settings', 'settings'],
  ['Import a kubeconfig', 'import'],
] as const;

const themes = [
  ['Switch to the light theme', 'light'],
  ['Switch to the dark theme', 'dark'],
  ['Switch to the system’s theme', 'system'],
] as const;

const groups: readonly PaletteGroup[] = ['Clusters', 'Inventories', 'Registries', 'Accounts', 'Actions'];
/** Limit for each group: no one reads more, and each letter would render a thousand rows. */
const most = 8;

/** The entries that match, best first within each group. The group with the best match comes first. */
export function found(entries: readonly PaletteEntry[], query: string): PaletteEntry[] {
  const wanted = query.trim();
  if (wanted === '') {
    return groups.flatMap((group) =>
      entries.filter((each) => each.group === group && each.first).slice(0, most),
    );
  }
  const scored = entries.flatMap((entry) => {
    const score = Math.max(
      match(wanted, entry.title) ?? -1,
      ...[entry.detail ?? '', ...entry.words].map((word) => (match(wanted, word) ?? -1) / 2),
    );
    return score < 0 ? [] : [{ entry, score }];
  });
  return groups
    .map((group) =>
      scored.filter(({ entry }) => entry.group === group).sort((one, other) => other.score - one.score),
    )
    .filter((each) => each.length > 0)
    .sort((one, other) => (other[0]?.score ?? 0) - (one[0]?.score ?? 0))
    .flatMap((each) => each.slice(0, most).map(({ entry }) => entry));
}
