import { useCallback, useEffect, useState } from 'react';
import type { ImportPlanView } from '../../../main/contract/ui/calls/import.ts';
import type { CallInput } from '../../../main/contract/ui/calls/index.ts';
import type { UiFailure } from '../../../main/contract/ui/messages.ts';
import { useBroker, useClient } from '../../stores/use-broker.tsx';
import { failureOf } from '../../stores/use-call.ts';

export type ChosenName = NonNullable<CallInput<'import.plan'>['names']>[number];

export interface PlanWish {
  /** Empty: the broker's default files. */
  files: readonly string[];
  /** What was pasted, instead of files. */
  pasted: string | null;
  /** Null: all. */
  contexts: readonly string[] | null;
  inPlace: boolean;
  /** What the user calls new entries. */
  names: readonly ChosenName[];
  /** Accounts that would request no refresh token request one. */
  offlineAccess: boolean;
}

export interface Planned {
  plan: ImportPlanView | null;
  failure: UiFailure | null;
  /** What the next plan is waiting for. Null: nothing is loading. */
  doing: string | null;
  again(): void;
}

/** The plan of a wish. Made again when the wish changes, and on request. The last one stays until the next is ready. */
export function usePlan(
  { files, pasted, contexts, inPlace, names, offlineAccess }: PlanWish,
  skip = false,
): Planned {
  const client = useClient();
  const isOpen = useBroker((state) => state.connection.kind === 'open');
  const [turn, setTurn] = useState(0);
  const [state, setState] = useState<Omit<Planned, 'again'>>({ plan: null, failure: null, doing: null });
  const key = JSON.stringify([files, pasted, contexts, inPlace, names, offlineAccess]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `turn` loads it again
  useEffect(() => {
    if (skip || !isOpen) {
      return undefined;
    }
    const [files, pasted, contexts, inPlace, names, offlineAccess] = JSON.parse(key) as [
      string[],
      string | null,
      string[] | null,
      boolean,
      ChosenName[],
      boolean,
    ];
    const leaving = new AbortController();
    const set = (change: Partial<Omit<Planned, 'again'>>) => {
      if (!leaving.signal.aborted) {
        setState((before) => ({ ...before, ...change }));
      }
    };
    set({ doing: 'Scanning', failure: null });
    client
      .call(
        'import.plan',
        { files, pasted, contexts, inPlace, names, offlineAccess },
        { signal: leaving.signal, onProgress: ({ doing }) => set({ doing }) },
      )
      .then(
        (plan) => set({ plan, failure: null, doing: null }),
        (error: unknown) => set({ plan: null, failure: failureOf(error), doing: null }),
      );
    return () => leaving.abort();
  }, [client, isOpen, key, skip, turn]);
  const again = useCallback(() => setTurn((before) => before + 1), []);
  return { ...state, again };
}
