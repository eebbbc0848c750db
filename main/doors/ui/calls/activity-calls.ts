import type { ActivityFilter } from '../../../contract/ui/calls/activity.ts';
import { registryName } from '../../../domain/target/registry-target.ts';
import { activityEventOf } from '../../../operations/activity-event.ts';
import { activityMatcher, type ContextsOf } from '../../../operations/activity-filter.ts';
import { eventJson } from '../../../operations/event-text.ts';
import type { Clock } from '../../../ports/clock.ts';
import type { HistoryReader, RecordedEvent } from '../../../ports/history-reader.ts';
import type { UiHandlers } from '../handlers.ts';

export interface ActivityCallsDeps {
  history: { reader: Pick<HistoryReader, 'events' | 'onRecorded'> };
  clock: Pick<Clock, 'after'>;
  contextsOf: ContextsOf;
}

/** Events within this time are sent together. */
const togetherMilliseconds = 50;
/** More new events than this are not sent: the page reads its first page again. */
const togetherLimit = 200;
/** Events of one piece, and of a whole export. */
const exportPage = 500;
const exportLimit = 50_000;

/** Past and new events. Available while locked: it has no secrets. */
export function createActivityCalls({
  history: { reader },
  clock,
  contextsOf,
}: ActivityCallsDeps): Pick<UiHandlers, 'activity.query' | 'activity.follow' | 'activity.export'> {
  async function page(filter: ActivityFilter, before: Cursor | undefined, limit: number) {
    const { events, cut } = await reader.events({
      since: filter.since,
      limit,
      matching: activityMatcher(filter, contextsOf),
      ...(filter.kinds !== undefined && { kinds: filter.kinds }),
      ...(filter.cluster !== undefined && { cluster: filter.cluster }),
      ...(filter.registry !== undefined && { target: registryName(filter.registry) }),
      ...(filter.account !== undefined && { account: filter.account }),
      ...cursorOf(filter, before),
    });
    const newestFirst = events.sort((a, b) => b.at - a.at || b.id - a.id);
    const last = newestFirst.at(-1);
    return { events: newestFirst, next: cut && last ? { at: last.at, id: last.id } : null };
  }

  return {
    'activity.query': async ({ filter, before, limit }) => {
      const { events, next } = await page(filter, before, limit);
      return { events: events.map(activityEventOf), next };
    },
    'activity.follow': ({ filter }, { signal, progress }) => {
      const matches = activityMatcher(filter, contextsOf);
      let waiting: RecordedEvent[] = [];
      let missed = false;
      let timer: { dispose(): void | Promise<void> } | null = null;
      const tell = () => {
        timer = null;
        progress({ events: waiting.map(activityEventOf), missed });
        waiting = [];
        missed = false;
      };
      const listening = reader.onRecorded((recorded) => {
        const { at, event } = recorded;
        if (!matches(event) || at < filter.since || (filter.until !== undefined && at >= filter.until)) {
          return;
        }
        if (waiting.length < togetherLimit) {
          waiting.push(recorded);
        } else {
          missed = true;
        }
        timer ??= clock.after(togetherMilliseconds, tell);
      });
      return new Promise((_, reject) => {
        const end = () => {
          void listening.dispose();
          void timer?.dispose();
          reject(signal.reason);
        };
        if (signal.aborted) {
          end();
        } else {
          signal.addEventListener('abort', end, { once: true });
        }
      });
    },
    'activity.export': async ({ filter }, { signal, progress }) => {
      let before: Cursor | undefined;
      for (let count = 0; ; ) {
        signal.throwIfAborted();
        const { events, next } = await page(filter, before, exportPage);
        count += events.length;
        if (events.length > 0) {
          progress({ text: events.map((event) => `${eventJson(event)}\n`).join('') });
        }
        if (next === null || count >= exportLimit) {
          return { events: count, cut: next !== null };
        }
        before = next;
      }
    },
  };
}

interface Cursor {
  at: number;
  id: number;
}

/** A cursor that is older than both the previous page and the filter’s end. */
function cursorOf({ until }: ActivityFilter, before: Cursor | undefined): { before?: Cursor } {
  const end = until === undefined ? undefined : { at: until, id: 0 };
  const first = before && end ? (before.at < end.at ? before : end) : (before ?? end);
  return first ? { before: first } : {};
}
