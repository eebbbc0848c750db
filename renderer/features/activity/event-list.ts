import type { ActivityEvent } from '../../../main/contract/ui/calls/activity.ts';

/** Newest first, each once: what came live may be in the page that was asked for, too. */
export function merged(
  before: readonly ActivityEvent[],
  more: readonly ActivityEvent[],
): readonly ActivityEvent[] {
  if (more.length === 0) {
    return before;
  }
  const known = new Set(before.map(({ id }) => id));
  const fresh = more.filter(({ id }) => !known.has(id));
  return fresh.length === 0 ? before : [...before, ...fresh].sort((a, b) => b.at - a.at || b.id - a.id);
}

/** So many are kept in the page: older ones are asked for again. */
export const keptLimit = 5_000;
