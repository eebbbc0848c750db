import { useCallback, useEffect, useReducer, useRef, useState } from 'react';
import type { ActivityEvent } from '../../../main/contract/ui/calls/activity.ts';
import type { UiFailure } from '../../../main/contract/ui/messages.ts';
import { useBroker, useClient } from '../../stores/use-broker.tsx';
import { failureOf } from '../../stores/use-call.ts';
import { type ActivityQuery, filterOf } from './activity-query.ts';
import { keptLimit, merged } from './event-list.ts';

const pageSize = 100;

export interface Activity {
  /** Newest first. Null: nothing has arrived yet. */
  events: readonly ActivityEvent[] | null;
  /** How many events happened while the list was paused. */
  waiting: number;
  hasMore: boolean;
  isLive: boolean;
  failure: UiFailure | null;
  /** Requests the next older page, one at a time. */
  more(): void;
  /** Shows the waiting events. */
  release(): void;
  reload(): void;
}

interface Shown {
  events: readonly ActivityEvent[] | null;
  waiting: readonly ActivityEvent[];
  next: { at: number; id: number } | null;
  failure: UiFailure | null;
}

const nothing: Shown = { events: null, waiting: [], next: null, failure: null };

/**
 * The history by a filter, and the events that are added to it. While `isHeld`, new events wait, so that the list
 * doesn't move.
 */
export function useActivity(query: ActivityQuery, isHeld: () => boolean): Activity {
  const client = useClient();
  const isOpen = useBroker((state) => state.connection.kind === 'open');
  const offset = useBroker((state) => state.clockOffset);
  const [shown, setShown] = useState<Shown>(nothing);
  const [turn, reload] = useReducer((before: number) => before + 1, 0);
  const current = useRef({ filter: filterOf(query, 0), signal: new AbortController().signal, asking: false });
  const held = useRef(isHeld);
  held.current = isHeld;
  const key = JSON.stringify(query);

  // biome-ignore lint/correctness/useExhaustiveDependencies: the key stands for the query; a turn requests it again
  useEffect(() => {
    if (!isOpen) {
      return undefined;
    }
    const leaving = new AbortController();
    const { signal } = leaving;
    const filter = filterOf(query, Date.now() + offset);
    current.current = { filter, signal, asking: true };
    setShown(nothing);
    const fail = (error: unknown) => {
      if (!signal.aborted) {
        setShown((before) => ({ ...before, failure: failureOf(error) }));
      }
    };
    const take = ({ events, missed }: { events: ActivityEvent[]; missed: boolean }) => {
      if (signal.aborted) {
        return;
      }
      if (missed) {
        reload();
        return;
      }
      setShown((before) =>
        held.current()
          ? { ...before, waiting: merged(before.waiting, events) }
          : { ...before, events: merged(before.events ?? [], events).slice(0, keptLimit) },
      );
    };
    // Follows first: an event between the two calls is then in one of them, or in both.
    client.call('activity.follow', { filter }, { signal, onProgress: take }).catch(fail);
    client.call('activity.query', { filter, limit: pageSize }, { signal }).then(({ events, next }) => {
      current.current.asking = false;
      setShown((before) => ({ ...before, events: merged(before.events ?? [], events), next }));
    }, fail);
    return () => leaving.abort();
  }, [client, isOpen, key, turn]);

  const more = useCallback(() => {
    const { filter, signal, asking } = current.current;
    if (asking || !shown.next) {
      return;
    }
    current.current.asking = true;
    client.call('activity.query', { filter, limit: pageSize, before: shown.next }, { signal }).then(
      ({ events, next }) => {
        current.current.asking = false;
        setShown((before) => ({ ...before, events: merged(before.events ?? [], events), next }));
      },
      (error) => {
        current.current.asking = false;
        if (!signal.aborted) {
          setShown((before) => ({ ...before, failure: failureOf(error) }));
        }
      },
    );
  }, [client, shown.next]);
  const release = useCallback(
    () =>
      setShown((before) => ({
        ...before,
        events: merged(before.events ?? [], before.waiting).slice(0, keptLimit),
        waiting: [],
      })),
    [],
  );
  return {
    events: shown.events,
    waiting: shown.waiting.length,
    hasMore: shown.next !== null && (shown.events?.length ?? 0) < keptLimit,
    isLive: isOpen && shown.failure === null,
    failure: shown.failure,
    more,
    release,
    reload,
  };
}
