import { useEffect, useReducer, useRef, useState } from 'react';
import type { ProfileField, ProfileQuery } from '../../../main/contract/ui/calls/inventories.ts';
import type { UiFailure } from '../../../main/contract/ui/messages.ts';
import { useBroker, useClient } from '../../stores/use-broker.tsx';
import { failureOf } from '../../stores/use-call.ts';
import { type ListPages, pageSize, pagesToRequest, withAnswer } from './list-pages.ts';

export interface ProfileList {
  /** The answers to the present query, or to the one before until the first arrives; null: nothing has arrived. */
  shown: ListPages | null;
  /** They answer the present query. */
  isCurrent: boolean;
  failure: UiFailure | null;
  reload(): void;
}

export interface WantedRows {
  query: ProfileQuery;
  group: ProfileField | null;
  /** Changes whenever profiles do. */
  version: string;
  /** Places of the rows in sight. */
  first: number;
  last: number;
}

/**
 * The rows in sight, and what was in sight before. Rows stay while newer ones load. An answer that is no longer wanted
 * is cancelled.
 */
export function useProfileList({ query, group, version, first, last }: WantedRows): ProfileList {
  const client = useClient();
  const isOpen = useBroker((state) => state.connection.kind === 'open');
  const [shown, setShown] = useState<ListPages | null>(null);
  const [failure, setFailure] = useState<UiFailure | null>(null);
  const [turn, reload] = useReducer((before: number) => before + 1, 0);
  const inFlight = useRef(new Map<string, AbortController>());
  const { search, filters } = query;
  const key = JSON.stringify([search, filters, group]);
  useEffect(() => {
    const all = inFlight.current;
    return () => {
      for (const each of all.values()) {
        each.abort();
      }
      all.clear();
    };
  }, []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key stands for the query; a turn requests it again
  useEffect(() => {
    const all = inFlight.current;
    // Another query begins at its top, wherever the one before was.
    const sight = shown === null || shown.key === key ? { first, last } : { first: 0, last: 0 };
    const pages = isOpen ? pagesToRequest(shown, { key, version, ...sight }) : [];
    const ids = new Map(pages.map((page) => [`${page} ${key}`, page]));
    for (const [id, each] of all) {
      if (!ids.has(id)) {
        each.abort();
        all.delete(id);
      }
    }
    for (const [id, page] of ids) {
      // One of an earlier version is awaited: else a hub with many changes would keep the list empty.
      if (all.has(id)) {
        continue;
      }
      const leaving = new AbortController();
      all.set(id, leaving);
      const settle = (done: () => void) => {
        if (!leaving.signal.aborted) {
          all.delete(id);
          done();
        }
      };
      client
        .call(
          'inventory.profiles',
          { search, filters, group, offset: page * pageSize, most: pageSize },
          { signal: leaving.signal },
        )
        .then(
          (answer) =>
            settle(() => {
              setFailure(null);
              setShown((before) => withAnswer(before, { key, page, version }, answer));
            }),
          (error: unknown) => settle(() => setFailure(failureOf(error))),
        );
    }
  }, [client, isOpen, key, version, first, last, shown, turn]);
  return { shown, isCurrent: shown?.key === key, failure, reload };
}
