import type { Health } from '../../../../main/contract/ui/health.ts';
import { groupLabels, remedyOf, urgency } from '../../../../main/contract/ui/health-words.ts';
import { countTodos, needing } from '../../../../main/contract/ui/needs.ts';
import type { ShortName } from '../../../../main/contract/ui/short-name.ts';
import type { ClusterView } from '../../../../main/contract/ui/state.ts';
import { type SharedNeed, sharedNeeds } from '../../entries/shared-needs.ts';
import { isShown, type ListQuery } from './list-query.ts';

/** The rows of the list, from top to bottom. */
export type ListRow =
  | { kind: 'heading'; key: string; label: string; count: number }
  /** What one login or secret does for several clusters: `cluster` is the first of them. */
  | ({ kind: 'need'; key: string; cluster: ClusterView } & Omit<SharedNeed<ClusterView>, 'of'>)
  | {
      kind: 'cluster';
      key: string;
      cluster: ClusterView;
      health: Health;
      shown: ShortName;
      isFavorite: boolean;
      /** The row of its account has the button. */
      isShared: boolean;
    };

export interface ClusterWithHealth {
  cluster: ClusterView;
  health: Health;
}

const names = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' });

/** All clusters, and how many things there are to do in what each filter shows, ignoring the other filters. */
export function countByHealth(all: readonly ClusterWithHealth[]): Record<ListQuery['show'], number> {
  const each = all.map(told);
  return {
    all: all.length,
    need: countTodos(each, needing),
    soon: countTodos(each, ['soon']),
    bad: countTodos(each, ['bad']),
  };
}

const told = ({ cluster, health }: ClusterWithHealth) => ({ of: cluster, health });

/** How the user wants them: what they are called, and which are at the top. */
export interface Wishes {
  names: ReadonlyMap<string, ShortName>;
  /** The place of each name (`nameOrder`). */
  order: ReadonlyMap<string, number>;
  favorites: ReadonlySet<string>;
}

/** The place of each name in the alphabet. Comparing texts takes long, and each change of the state sorts the list. */
export function nameOrder(shown: ReadonlyMap<string, ShortName>): ReadonlyMap<string, number> {
  const sorted = [...shown].sort(([, a], [, b]) => names.compare(a.short, b.short));
  return new Map(sorted.map(([name], place) => [name, place]));
}

export type ClusterRow = Extract<ListRow, { kind: 'cluster' }>;

/** A row for each cluster, in the order of the list. A search goes through them at each letter. */
export function clusterRows(
  all: readonly ClusterWithHealth[],
  sort: ListQuery['sort'],
  { names: shown, order, favorites }: Wishes,
): ClusterRow[] {
  return all
    .map(
      ({ cluster, health }): ClusterRow => ({
        kind: 'cluster',
        key: cluster.name,
        cluster,
        health,
        shown: shown.get(cluster.name) ?? { short: cluster.name, detail: null },
        isFavorite: favorites.has(cluster.name),
        isShared: false,
      }),
    )
    .sort((a, b) => compare(a, b, sort, order));
}

/** What a query shows of them: the favourites, and the others under the headings of their groups. */
export function listRows(
  sorted: readonly ClusterRow[],
  { show, account, search, group }: Omit<ListQuery, 'sort' | 'at'>,
): ListRow[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const first: ClusterRow[] = [];
  const others: ClusterRow[] = [];
  for (const row of sorted) {
    if (isShown(row.health, show) && (account === '' || row.cluster.account === account) && has(row, words)) {
      (row.isFavorite ? first : others).push(row);
    }
  }
  if (group === 'none') {
    return withNeeds([...first, ...others]);
  }
  return [...underHeading('Favourites', first.length, first, 'favourites '), ...grouped(others, group)];
}

function has({ cluster }: ClusterRow, words: readonly string[]): boolean {
  const text = words.length === 0 ? '' : textOf(cluster);
  return words.every((word) => text.includes(word));
}

/** What was made of a cluster: each letter of a search looks at all of them. */
const texts = new WeakMap<ClusterView, string>();

/** All that a search looks at, a label as `team=payments`. */
function textOf(cluster: ClusterView): string {
  const known = texts.get(cluster);
  if (known !== undefined) {
    return known;
  }
  const { name, displayName, aliases, labels, server, account } = cluster;
  const pairs = Object.entries(labels).map(([key, value]) => `${key}=${value}`);
  const text = [name, displayName ?? '', ...aliases, ...pairs, server, account].join('\n').toLowerCase();
  texts.set(cluster, text);
  return text;
}

/** Prepares a search, so that its first letter takes no longer than others. */
export function readTexts(rows: readonly ClusterRow[]): void {
  for (const { cluster } of rows) {
    textOf(cluster);
  }
}

function compare(a: ClusterRow, b: ClusterRow, sort: ListQuery['sort'], order: Wishes['order']): number {
  const byName = () => (order.get(a.key) ?? 0) - (order.get(b.key) ?? 0);
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

/** The clusters, below a row for each account that several of them need a login or secret of. */
function withNeeds(shown: readonly ClusterRow[], where = ''): ListRow[] {
  const { needs, names: shared } = sharedNeeds(shown.map(told));
  return [
    ...needs.map(
      ({ of: cluster, ...need }): ListRow => ({
        kind: 'need',
        // An account’s clusters may be among the favourites and below.
        key: `need ${where}${cluster.account}`,
        cluster,
        ...need,
      }),
    ),
    ...(shared.size === 0
      ? shown
      : shown.map((each) => (shared.has(each.key) ? { ...each, isShared: true } : each))),
  ];
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
  return ordered.flatMap(({ label, rows }) => {
    const health = rows[0]?.health ?? 'good';
    const todo = group === 'need' && (needing.includes(health) || health === 'soon');
    const count = todo
      ? countTodos(rows.map(told), needing.includes(health) ? needing : ['soon'])
      : rows.length;
    return underHeading(label, count, rows);
  });
}

function underHeading(label: string, count: number, rows: readonly ClusterRow[], where = ''): ListRow[] {
  return rows.length === 0
    ? []
    : [{ kind: 'heading', key: `heading ${where}${label}`, label, count }, ...withNeeds(rows, where)];
}

/** The row with the one primary button: the selected cluster’s if it needs a login, else the first that does. */
export function primaryOf(rows: readonly ListRow[], selected: string | null): string | null {
  const needs = (row: ListRow) =>
    (row.kind === 'need' && row.remedy === 'logIn') ||
    (row.kind === 'cluster' && !row.isShared && remedyOf(row.cluster, row.health) === 'logIn');
  const first = rows.find(needs);
  return (first && rows.find((row) => row.key === selected && needs(row)))?.key ?? first?.key ?? null;
}

/** Moves from one cluster to another, skipping headings. `by` Infinity: to the last. */
export function moved(rows: readonly ListRow[], from: string | null, by: number): string | null {
  if (from === null) {
    return rows.find((row) => row.kind === 'cluster')?.key ?? null;
  }
  const clusters = rows.filter((row) => row.kind === 'cluster');
  const at = clusters.findIndex(({ key }) => key === from);
  const to = at === -1 ? 0 : at + by;
  return clusters[Math.max(0, Math.min(clusters.length - 1, to))]?.key ?? null;
}

/** The clusters from one row to another, whichever is higher; null: from the first, or to the last. */
export function clustersBetween(rows: readonly ListRow[], from: string | null, to: string | null): string[] {
  const names = rows.filter((row) => row.kind === 'cluster').map(({ key }) => key);
  const [one, other] = [
    from === null ? 0 : names.indexOf(from),
    to === null ? names.length - 1 : names.indexOf(to),
  ];
  // The row where it began may be filtered out by now.
  const [first, last] = one === -1 ? [other, other] : [Math.min(one, other), Math.max(one, other)];
  return names.slice(Math.max(0, first), last + 1);
}
