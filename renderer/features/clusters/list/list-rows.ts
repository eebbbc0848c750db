import type { Health } from '../../../../main/contract/ui/health.ts';
import { groupLabels, urgency } from '../../../../main/contract/ui/health-words.ts';
import type { ShortName } from '../../../../main/contract/ui/short-name.ts';
import type { ClusterView } from '../../../../main/contract/ui/state.ts';
import { isShown, type ListQuery } from './list-query.ts';

/** The rows of the list, from top to bottom. */
export type ListRow =
  | { kind: 'heading'; key: string; label: string; count: number }
  | {
      kind: 'cluster';
      key: string;
      cluster: ClusterView;
      health: Health;
      shown: ShortName;
      isFavorite: boolean;
    };

export interface ClusterWithHealth {
  cluster: ClusterView;
  health: Health;
}

const names = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' });

/** How many clusters each filter shows, ignoring the other filters. */
export function countByHealth(all: readonly ClusterWithHealth[]): Record<ListQuery['show'], number> {
  const counts = { all: all.length, need: 0, soon: 0, bad: 0 };
  for (const { health } of all) {
    for (const show of ['need', 'soon', 'bad'] as const) {
      counts[show] += isShown(health, show) ? 1 : 0;
    }
  }
  return counts;
}

/** How the user wants them: what they are called, and which are at the top. */
export interface Wishes {
  names: ReadonlyMap<string, ShortName>;
  favorites: ReadonlySet<string>;
}

type ClusterRow = Extract<ListRow, { kind: 'cluster' }>;

/** The rows of a query, in order: the favourites, and the others under the headings of their groups. */
export function listRows(
  all: readonly ClusterWithHealth[],
  query: ListQuery,
  { names: shown, favorites }: Wishes,
): ListRow[] {
  const words = query.search.toLowerCase().split(/\s+/).filter(Boolean);
  const rows = all
    .filter(
      ({ cluster, health }) =>
        isShown(health, query.show) &&
        (query.account === '' || cluster.account === query.account) &&
        words.every((word) => textOf(cluster).includes(word)),
    )
    .map(
      ({ cluster, health }): ClusterRow => ({
        kind: 'cluster',
        key: cluster.name,
        cluster,
        health,
        shown: shown.get(cluster.name) ?? { short: cluster.name, detail: null },
        isFavorite: favorites.has(cluster.name),
      }),
    )
    .sort((a, b) => compare(a, b, query.sort));
  const first = rows.filter(({ isFavorite }) => isFavorite);
  const others = rows.filter(({ isFavorite }) => !isFavorite);
  if (query.group === 'none') {
    return [...first, ...others];
  }
  return [...underHeading('Favourites', first), ...grouped(others, query.group)];
}

/** All that a search looks at, a label as `team=payments`. */
function textOf({ name, displayName, aliases, labels, server, account }: ClusterView): string {
  const pairs = Object.entries(labels).map(([key, value]) => `${key}=${value}`);
  return [name, displayName ?? '', ...aliases, ...pairs, server, account].join('\n').toLowerCase();
}

function compare(a: ClusterRow, b: ClusterRow, sort: ListQuery['sort']): number {
  const byName = () => names.compare(a.shown.short, b.shown.short);
  switch (sort) {
    case 'name':
      return byName();
    case 'left':
      return ascending(endOf(a), endOf(b)) || byName();
    case 'asked':
      return ascending(askedAt(b), askedAt(a)) || byName();
    case 'need':
      return ascending(urgency[a.health], urgency[b.health]) || byName();
  }
}

/** Both may be infinite. */
function ascending(a: number, b: number): number {
  return a === b ? 0 : a < b ? -1 : 1;
}

/** No credential sorts after one that never expires. */
function endOf({ cluster: { credential } }: ClusterWithHealth): number {
  return credential ? (credential.expiresAt ?? Number.MAX_VALUE) : Number.POSITIVE_INFINITY;
}

function askedAt({ cluster }: ClusterWithHealth): number {
  return cluster.lastCall?.at ?? 0;
}

function grouped(shown: readonly ClusterRow[], group: 'need' | 'account'): ListRow[] {
  const groups = new Map<string, { label: string; order: number; rows: ClusterRow[] }>();
  for (const each of shown) {
    const label = group === 'account' ? each.cluster.account : groupLabels[each.health];
    const known = groups.get(label) ?? { label, order: urgency[each.health], rows: [] };
    known.rows.push(each);
    groups.set(label, known);
  }
  const ordered = [...groups.values()].sort((a, b) =>
    group === 'account' ? names.compare(a.label, b.label) : a.order - b.order,
  );
  return ordered.flatMap(({ label, rows }) => underHeading(label, rows));
}

function underHeading(label: string, rows: readonly ClusterRow[]): ListRow[] {
  return rows.length === 0
    ? []
    : [{ kind: 'heading', key: `heading ${label}`, label, count: rows.length }, ...rows];
}

/** The cluster with the one primary button: the selected one if it needs a login, else the first one that does. */
export function primaryOf(rows: readonly ListRow[], selected: string | null): string | null {
  const needs = (row: ListRow) =>
    row.kind === 'cluster' && (row.cluster.state === 'loginNeeded' || row.cluster.state === 'interrupted');
  const found = rows.find((row) => row.key === selected && needs(row)) ?? rows.find(needs);
  return found?.key ?? null;
}

/** Moves from one cluster to another, skipping headings. `by` Infinity: to the last. */
export function moved(rows: readonly ListRow[], from: string | null, by: number): string | null {
  const clusters = rows.filter((row) => row.kind === 'cluster');
  const at = clusters.findIndex(({ key }) => key === from);
  const to = at === -1 ? 0 : at + by;
  return clusters[Math.max(0, Math.min(clusters.length - 1, to))]?.key ?? null;
}
