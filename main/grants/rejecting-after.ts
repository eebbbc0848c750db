import { targetKey } from '../domain/target/target.ts';
import type { Clock } from '../ports/clock.ts';
import type { HistoryEvent } from '../ports/history.ts';
import type { HistoryReader } from '../ports/history-reader.ts';
import type { KnownRejecting } from './rejecting-clusters.ts';

/** Older observations say nothing about now. */
const daysBack = 7;
const limit = 1_000;

/** The broker has started: which clusters counted as rejecting when the last one ended. */
export async function restoreRejecting(
  reader: Pick<HistoryReader, 'events'>,
  grants: { restoreRejecting(known: Iterable<KnownRejecting>): void },
  clock: Pick<Clock, 'now'>,
): Promise<void> {
  const { events } = await reader.events({
    since: clock.now() - daysBack * 86_400_000,
    kinds: ['rejection'],
    matching: tellsRejecting,
    limit,
  });
  grants.restoreRejecting(rejectingAfter(events));
}

/** What says so: of a client that asks all day there are many other events. */
export function tellsRejecting(event: HistoryEvent): boolean {
  return event.kind === 'rejection' && (isRejecting(event) || isEnded(event));
}

/** Which clusters counted as rejecting at the end of these events, oldest first. */
export function rejectingAfter(
  events: Iterable<{ at: number; event: HistoryEvent }>,
): Iterable<KnownRejecting> {
  const rejecting = new Map<string, KnownRejecting>();
  for (const { at, event } of events) {
    if (event.kind !== 'rejection') {
      continue;
    }
    const { target, account, audience, generation } = event;
    const key = targetKey(target);
    if (isEnded(event)) {
      rejecting.delete(key);
    } else if (isRejecting(event) && !rejecting.has(key)) {
      rejecting.set(key, { target, account, audience, generation, since: at });
    }
  }
  return rejecting.values();
}

type RejectionEvent = Extract<HistoryEvent, { kind: 'rejection' }>;

const isRejecting = ({ action }: RejectionEvent) => action === 'backedOff' || action === 'shown';
const isEnded = ({ action }: RejectionEvent) => action === 'cleared' || action === 'forgotten';
