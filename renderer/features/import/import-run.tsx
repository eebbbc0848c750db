import { createContext, type ReactNode, useContext, useMemo, useRef, useState } from 'react';
import type { CallInput, CallOutput } from '../../../main/contract/ui/calls/index.ts';
import type { UiFailure } from '../../../main/contract/ui/messages.ts';
import { useClient } from '../../stores/use-broker.tsx';
import { failureOf } from '../../stores/use-call.ts';

/** An import that the user started. It continues in every view. */
export type ImportRun =
  | { stage: 'doing'; what: string }
  /** Written to config.yaml, and pending approval. */
  | { stage: 'held'; count: number; written: Written; windowFailure: UiFailure | null }
  | { stage: 'done'; result: CallOutput<'import.apply'> }
  | { stage: 'failed'; failure: UiFailure; wasPending: boolean };

/** The names of the entries that it added to config.yaml. */
type Written = CallInput<'import.takeBack'>;

export interface ImportRuns {
  run: ImportRun | null;
  /** `agreed`: the questions with a yes, by id. */
  begin(plan: string, agreed: string[]): void;
  /** Stops waiting, and removes the entries again. */
  takeBack(): void;
  /** Stops waiting. The new entries stay pending, and the user's files stay as they are. */
  leave(): void;
  /** The user has seen the result. */
  clear(): void;
}

const RunContext = createContext<ImportRuns | null>(null);

export function ImportRunProvider({ children }: { children: ReactNode }) {
  const client = useClient();
  const [run, setRun] = useState<ImportRun | null>(null);
  const written = useRef<Written>({ accounts: [], clusters: [] });
  const current = useRef<AbortController | null>(null);
  const runs = useMemo(() => {
    const openWindow = () => {
      const failed = (windowFailure: UiFailure | null) =>
        setRun((before) => (before?.stage === 'held' ? { ...before, windowFailure } : before));
      client.call('window.open', { what: 'confirm' }).then(
        () => failed(null),
        (error: unknown) => failed(failureOf(error)),
      );
    };
    return {
      begin(plan: string, agreed: string[]) {
        const leaving = new AbortController();
        current.current = leaving;
        let wasPending = false;
        setRun({ stage: 'doing', what: 'Starting' });
        client
          .call(
            'import.apply',
            { id: plan, agreed },
            {
              signal: leaving.signal,
              onProgress(step) {
                if (step.step === 'doing') {
                  setRun({ stage: 'doing', what: step.what });
                } else {
                  wasPending = true;
                  const { count, accounts, clusters } = step;
                  setRun({ stage: 'held', count, written: { accounts, clusters }, windowFailure: null });
                  written.current = { accounts, clusters };
                  openWindow();
                }
              },
            },
          )
          .then(
            (result) => setRun({ stage: 'done', result }),
            (error: unknown) =>
              setRun((before) =>
                leaving.signal.aborted
                  ? before?.stage === 'held'
                    ? null
                    : before
                  : { stage: 'failed', failure: failureOf(error), wasPending },
              ),
          );
      },
      takeBack() {
        current.current?.abort(new Error('left'));
        setRun({ stage: 'doing', what: 'Cancelling the import' });
        client.call('import.takeBack', written.current).then(
          () => setRun(null),
          (error: unknown) => setRun({ stage: 'failed', failure: failureOf(error), wasPending: true }),
        );
      },
      leave: () => current.current?.abort(new Error('left')),
      clear: () => setRun(null),
    };
  }, [client]);
  const value = useMemo<ImportRuns>(() => ({ run, ...runs }), [run, runs]);
  return <RunContext value={value}>{children}</RunContext>;
}

export function useImportRun(): ImportRuns {
  const runs = useContext(RunContext);
  if (!runs) {
    throw new Error('no ImportRunProvider above');
  }
  return runs;
}
