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
    kinds: ['rejection', 'login', 'logout'],
    matching: tellsRejecting,
    limit,
  });
  grants.restoreRejecting(rejectingAfter(events));
}

/** What says so: of a client that asks all day there are many other events. */
export function tellsRejecting(event: HistoryEvent): boolean {
  return event.kind !== 'rejection' || ['backedOff', 'shown', 'cleared'].includes(event.action);
}

/** Which clusters counted as rejecting at the end of these events, oldest first. */
export function rejectingAfter(
  events: Iterable<{ at: number; event: HistoryEvent }>,
): Iterable<KnownRejecting> {
  const rejecting = new Map<string, KnownRejecting>();
  for (const { at, event } of events) {
    if (event.kind === 'rejection') {
      const { target, account, action } = event;
      const key = targetKey(target);
      if (action === 'cleared') {
        rejecting.delete(key);
      } else if ((action === 'backedOff' || action === 'shown') && !rejecting.has(key)) {
        rejecting.set(key, { target, account, since: at });
      }
    } else if (event.kind === 'logout' || (event.kind === 'login' && event.outcome === 'done')) {
      for (const known of [...rejecting.values()].filter(({ account }) => account === event.account)) {
        rejecting.delete(targetKey(known.target));
      }
    }
  }
  return rejecting.values();
}
