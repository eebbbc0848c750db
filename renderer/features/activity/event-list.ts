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

/** Neighbours that say the same, newest first. */
export interface EventGroup {
  /** The newest. */
  first: ActivityEvent;
  events: readonly ActivityEvent[];
}

/** A longer rest ends a group: a call of this morning isn’t one of last night’s. */
const restMilliseconds = 3_600_000;

/** Equal neighbours together: client-go tries again, and a script asks a hundred times. */
export function grouped(events: readonly ActivityEvent[]): EventGroup[] {
  const groups: { first: ActivityEvent; events: ActivityEvent[] }[] = [];
  for (const event of events) {
    const group = groups.at(-1);
    const before = group?.events.at(-1);
    if (group && before && isLike(before, event) && before.at - event.at <= restMilliseconds) {
      group.events.push(event);
    } else {
      groups.push({ first: event, events: [event] });
    }
  }
  return groups;
}

function isLike(one: ActivityEvent, other: ActivityEvent): boolean {
  return (['kind', 'program', 'target', 'account', 'result', 'tone', 'foldKey'] as const).every(
    (field) => one[field] === other[field],
  );
}

/** A row of the list: one event, or a group that its events follow when it is open. */
export interface ActivityRow {
  /** The same while the list grows at both ends: a group goes by its oldest event, as far as that is here. */
  key: string;
  event: ActivityEvent;
  /** The events that it stands for; one: itself. */
  events: readonly ActivityEvent[];
  /** 2: one event of the group above. */
  level: 1 | 2;
}

/** The rows from top to bottom. `open`: the events that were opened. A group is open if one of its events is. */
export function rowsOf(groups: readonly EventGroup[], open: ReadonlySet<string>): ActivityRow[] {
  return groups.flatMap(({ first, events }): ActivityRow[] => {
    const row = (event: ActivityEvent, level: 1 | 2): ActivityRow => ({
      key: String(event.id),
      event,
      events: [event],
      level,
    });
    if (events.length === 1) {
      return [row(first, 1)];
    }
    const key = groupKey(events);
    const group: ActivityRow = { key, event: first, events, level: 1 };
    return events.some(({ id }) => open.has(`group ${id}`))
      ? [group, ...events.map((each) => row(each, 2))]
      : [group];
  });
}

/** Names a group by its oldest event: newer ones join it as they happen. */
function groupKey(events: readonly ActivityEvent[]): string {
  return `group ${events.at(-1)?.id}`;
}
