import { type Health, healthOf } from '../../../main/contract/ui/health.ts';
import { urgency } from '../../../main/contract/ui/health-words.ts';
import type { RegistryView } from '../../../main/contract/ui/state.ts';

export interface RegistryRow {
  registry: RegistryView;
  health: Health;
}

const names = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' });

/** Those that match each word of the search; what needs the user comes first. */
export function registryRows(
  all: Readonly<Record<string, RegistryView>>,
  search: string,
  now: number,
): RegistryRow[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  return Object.values(all)
    .filter((registry) => words.every((word) => textOf(registry).includes(word)))
    .map((registry) => ({ registry, health: healthOf(registry, now) }))
    .sort((a, b) => urgency[a.health] - urgency[b.health] || names.compare(a.registry.name, b.registry.name));
}

function textOf({ name, matchImages, account }: RegistryView): string {
  return [name, account, ...matchImages].join('\n').toLowerCase();
}

/** Moves from one to another, and stays within. `by` Infinity: to the last. */
export function movedTo(rows: readonly RegistryRow[], from: string | null, by: number): string | null {
  const at = rows.findIndex(({ registry }) => registry.name === from);
  const to = at === -1 ? 0 : at + by;
  return rows[Math.max(0, Math.min(rows.length - 1, to))]?.registry.name ?? null;
}
