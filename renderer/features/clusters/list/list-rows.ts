import type { Health } from '../../../../main/contract/ui/health.ts';
import { groupLabels, type Remedy, remedyOf, urgency } from '../../../../main/contract/ui/health-words.ts';
import { countTodos, needing } from '../../../../main/contract/ui/needs.ts';
import type { ClusterView } from '../../../../main/contract/ui/state.ts';
import { isShown, type ListQuery } from './list-query.ts';

/** The rows of the list, from top to bottom. */
export type ListRow =
  | { kind: 'heading'; key: string; label: string; count: number }
  /** What one login or secret does for several clusters: `cluster` is the first of them. */
  | { kind: 'need'; key: string; cluster: ClusterView; remedy: Remedy; count: number }
  /** `isShared`: the row of its account has the button. */
  | { kind: 'cluster'; key: string; cluster: ClusterView; health: Health; isShared: boolean };

export interface ClusterWithHealth {
  cluster: ClusterView;
  health: Health;
}

const names = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' });

/** All clusters, and how many things there are to do in what each filter shows, ignoring the other filters. */
export function countByHealth(all: readonly ClusterWithHealth[]): Record<ListQuery['show'], number> {
  const told = all.map(({ cluster, health }) => ({ of: cluster, health }));
  return {
    all: all.length,
    need: countTodos(told, needing),
    soon: countTodos(told, ['soon']),
    bad: countTodos(told, ['bad']),
  };
}

/** The rows of a query, in order, under the headings of their groups. */
export function listRows(all: readonly ClusterWithHealth[], query: ListQuery): ListRow[] {
  const words = query.search.toLowerCase().split(/\s+/).filter(Boolean);
  const shown = all
    .filter(
      ({ cluster, health }) =>
        isShown(health, query.show) &&
        (query.account === '' || cluster.account === query.account) &&
        words.every((word) => textOf(cluster).includes(word)),
    )
    .sort((a, b) => compare(a, b, query.sort));
  return query.group === 'none' ? withNeeds(shown) : grouped(shown, query.group);
}

function textOf({ name, server, account }: ClusterView): string {
  return `${name}\n${server}\n${account}`.toLowerCase();
}

function compare(a: ClusterWithHealth, b: ClusterWithHealth, sort: ListQuery['sort']): number {
  const byName = () => names.compare(a.cluster.name, b.cluster.name);
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
function withNeeds(shown: readonly ClusterWithHealth[]): ListRow[] {
  const needs = new Map<string, Extract<ListRow, { kind: 'need' }>>();
  const needOf = ({ cluster, health }: ClusterWithHealth) => {
    const remedy = remedyOf(cluster, health);
    return remedy === 'logIn' || remedy === 'setSecret' ? remedy : null;
  };
  for (const each of shown) {
    const [remedy, { account }] = [needOf(each), each.cluster];
    if (remedy !== null) {
      const first = {
        kind: 'need',
        key: `need ${account}`,
        cluster: each.cluster,
        remedy,
        count: 0,
      } as const;
      const known = needs.get(account) ?? first;
      needs.set(account, { ...known, count: known.count + 1 });
    }
  }
  const several = [...needs.values()].filter(({ count }) => count > 1);
  const shared = new Set(several.map(({ cluster }) => cluster.account));
  const clusters = shown.map((each): ListRow => {
    const isShared = needOf(each) !== null && shared.has(each.cluster.account);
    return { kind: 'cluster', key: each.cluster.name, ...each, isShared };
  });
  return [...several, ...clusters];
}

function grouped(shown: readonly ClusterWithHealth[], group: 'need' | 'account'): ListRow[] {
  const groups = new Map<string, { label: string; order: number; of: ClusterWithHealth[] }>();
  for (const each of shown) {
    const label = group === 'account' ? each.cluster.account : groupLabels[each.health];
    const known = groups.get(label) ?? { label, order: urgency[each.health], of: [] };
    known.of.push(each);
    groups.set(label, known);
  }
  const ordered = [...groups.values()].sort((a, b) =>
    group === 'account' ? names.compare(a.label, b.label) : a.order - b.order,
  );
  return ordered.flatMap(({ label, of }) => {
    const isTodo = group === 'need' && needing.includes(of[0]?.health ?? 'good');
    const count = isTodo ? countByHealth(of).need : of.length;
    return [{ kind: 'heading', key: `heading ${label}`, label, count }, ...withNeeds(of)];
  });
}

/** The row with the one primary button: the selected cluster’s if it needs a login, else the first that does. */
export function primaryOf(rows: readonly ListRow[], selected: string | null): string | null {
  const needs = (row: ListRow) =>
    (row.kind === 'need' && row.remedy === 'logIn') ||
    (row.kind === 'cluster' && !row.isShared && remedyOf(row.cluster, row.health) === 'logIn');
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
