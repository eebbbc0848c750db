import { useCallback, useEffect, useRef, useState } from 'react';
import type { CallOutput, CallProgress } from '../../../main/contract/ui/calls/index.ts';
import type { UiFailure } from '../../../main/contract/ui/messages.ts';
import { useBroker, useClient } from '../../stores/use-broker.tsx';
import { failureOf } from '../../stores/use-call.ts';
import { useNow } from '../../ui/time/index.ts';

type Shown = CallProgress<'account.login'>;
export type Flow = 'browser' | 'device';

/** The step of this page's login. */
export type LoginStep =
  /** Waiting for the provider. Nothing to show yet. */
  | { kind: 'asking' }
  | { kind: 'waiting'; shown: Shown; endsAt: number }
  | { kind: 'failed'; failure: UiFailure };

export interface LoginCall {
  step: LoginStep;
  /** Leaves the one before. A login ends when the last client has left. */
  start(flow: Flow | null): void;
}

/** One account's login, which this page takes part in until the component unmounts. */
export function useLoginCall(
  account: string,
  onDone: (output: CallOutput<'account.login'>) => void,
): LoginCall {
  const client = useClient();
  const [step, setStep] = useState<LoginStep>({ kind: 'asking' });
  const current = useRef<AbortController | null>(null);
  const now = useRef(0);
  now.current = useNow(1000);
  // A login that another client began has less time left than its limit.
  const began = useBroker((state) => state.sections.accounts[account]?.login?.startedAt ?? null);
  const startedAt = useRef(began);
  startedAt.current = began;
  const done = useRef(onDone);
  done.current = onDone;

  const leave = useCallback(() => {
    current.current?.abort();
    current.current = null;
  }, []);
  useEffect(() => leave, [leave]);

  const start = useCallback(
    (flow: Flow | null) => {
      leave();
      const mine = new AbortController();
      current.current = mine;
      const joined = startedAt.current;
      const settle = (next: LoginStep) => {
        if (current.current === mine) {
          setStep(next);
        }
      };
      settle({ kind: 'asking' });
      const onProgress = (shown: Shown) =>
        settle({ kind: 'waiting', shown, endsAt: (joined ?? now.current) + shown.expiresInSeconds * 1000 });
      client.call('account.login', { account, flow }, { signal: mine.signal, onProgress }).then(
        (output) => {
          if (current.current === mine) {
            current.current = null;
            done.current(output);
          }
        },
        (error: unknown) => settle({ kind: 'failed', failure: failureOf(error) }),
      );
    },
    [account, client, leave],
  );
  return { step, start };
}
