import type { UiState } from '../../../main/contract/ui/state.ts';
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
  /** Whether to show it before anything is typed. */
  first: boolean;
  what: PaletteDoes;
}

/** All entries that can be found, from the state. */
export function paletteEntries({
  clusters,
  inventories,
  registries,
  accounts,
  lock,
}: Pick<UiState, 'clusters' | 'inventories' | 'registries' | 'accounts' | 'lock'>): PaletteEntry[] {
  const entries: PaletteEntry[] = [];
  const add = (group: PaletteGroup, title: string, detail: string | null, what: PaletteDoes, first = false) =>
    entries.push({ id: `${group} ${title}`, group, title, detail, first, what });
  const go = (href: string): PaletteDoes => ({ does: 'go', href });
  for (const { name, server } of Object.values(clusters)) {
    add('Clusters', name, server, go(`#/clusters/${encodeURIComponent(name)}`), true);
  }
  for (const { name, hub, files } of Object.values(inventories)) {
    add('Inventories', name, hub ?? files.join(' '), go(`#/inventories/${encodeURIComponent(name)}`), true);
  }
  for (const { name, matchImages } of Object.values(registries)) {
    add('Registries', name, matchImages.join(' '), go(`#/registries/${encodeURIComponent(name)}`), true);
  }
  for (const { name, subject } of Object.values(accounts)) {
    add('Accounts', name, subject, go(`#/accounts/${encodeURIComponent(name)}`), true);
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
  for (const { name } of Object.values(clusters)) {
    add('Actions', `Renew ${name}`, 'cluster', { does: 'renew', cluster: name });
    add('Actions', `Copy kubectl command for ${name}`, 'cluster', { does: 'copyLine', cluster: name });
    add('Actions', `Set ${name} as current context`, 'kubectl', { does: 'useContext', cluster: name });
    add('Actions', `Open terminal for ${name}`, 'kubectl', { does: 'openTerminal', cluster: name });
  }
  for (const { name } of Object.values(inventories)) {
    add('Actions', `Sync ${name}`, 'inventory', { does: 'sync', inventory: name });
  }
  return entries;
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
      entry.detail === null ? -1 : (match(wanted, entry.detail) ?? -1) / 2,
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
