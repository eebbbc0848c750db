import type { ActivityEvent } from '../../../main/contract/ui/calls/activity.ts';

/** Newest first, each event once: a live event may also be in the page that was requested. */
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

/** The page keeps this many events. It requests older ones again. */
export const keptLimit = 5_000;
