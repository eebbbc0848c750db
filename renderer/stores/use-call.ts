import { useCallback, useEffect, useRef, useState } from 'react';
import type { CallInput, CallName, CallOutput } from '../../main/contract/ui/calls/index.ts';
import type { UiFailure } from '../../main/contract/ui/messages.ts';
import { CallFailed, type CallOptions } from '../api/contract-client.ts';
import { useBroker, useClient } from './use-broker.tsx';

export interface Called<Name extends CallName> {
  /** The last answer. It stays while a new one loads, and while the broker is away. */
  value: CallOutput<Name> | null;
  failure: UiFailure | null;
  loading: boolean;
  reload(): void;
}

export interface UseCallOptions {
  /** Doesn't call (yet). */
  skip?: boolean;
  /** Calls again when this changes: a `laneVersion`, the version of the state. */
  refreshOn?: string | number | boolean | null;
}

interface Answer {
  key: string;
  value: unknown;
  failure: UiFailure | null;
  loading: boolean;
}

/** Calls the broker for data to show: first, when the input changes, and when the broker is back. */
export function useCall<Name extends CallName>(
  name: Name,
  input: CallInput<Name>,
  { skip = false, refreshOn = null }: UseCallOptions = {},
): Called<Name> {
  const client = useClient();
  const isOpen = useBroker((state) => state.connection.kind === 'open');
  const [turn, setTurn] = useState(0);
  const key = `${name} ${JSON.stringify(input)}`;
  const [answer, setAnswer] = useState<Answer>({ key: '', value: null, failure: null, loading: false });
  const asked = useRef(input);
  asked.current = input;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key stands for the input; turn and refreshOn ask again
  useEffect(() => {
    if (skip || !isOpen) {
      return undefined;
    }
    const leaving = new AbortController();
    const settle = (change: Partial<Answer>) => {
      if (!leaving.signal.aborted) {
        setAnswer((before) => ({ ...before, key, loading: false, ...change }));
      }
    };
    // The answer to another input isn't shown.
    setAnswer((before) => ({
      ...(before.key === key ? before : { key, value: null, failure: null }),
      loading: true,
    }));
    client.call(name, asked.current, { signal: leaving.signal }).then(
      (value) => settle({ value, failure: null }),
      (error: unknown) => settle({ failure: failureOf(error) }),
    );
    return () => leaving.abort();
  }, [client, name, key, skip, isOpen, turn, refreshOn]);
  const reload = useCallback(() => setTurn((before) => before + 1), []);
  const mine = answer.key === key;
  return {
    value: mine ? (answer.value as CallOutput<Name> | null) : null,
    failure: mine ? answer.failure : null,
    loading: mine ? answer.loading : !skip,
    reload,
  };
}

export interface Action<Name extends CallName> {
  /** Resolves with the answer. Null if the call failed or was cancelled: `failure` says why. */
  run(
    input: CallInput<Name>,
    options?: Pick<CallOptions<Name>, 'onProgress'>,
  ): Promise<CallOutput<Name> | null>;
  busy: boolean;
  failure: UiFailure | null;
  /** Clears the failure. */
  reset(): void;
  /** Cancels the running call. */
  cancel(): void;
}

/** A call that the user starts. It continues after its view is left, unless that cancels it. */
export function useAction<Name extends CallName>(name: Name): Action<Name> {
  const client = useClient();
  const [state, setState] = useState<{ busy: boolean; failure: UiFailure | null }>({
    busy: false,
    failure: null,
  });
  const current = useRef<AbortController | null>(null);
  const run = useCallback<Action<Name>['run']>(
    async (input, options = {}) => {
      const leaving = new AbortController();
      current.current = leaving;
      setState({ busy: true, failure: null });
      try {
        const output = await client.call(name, input, { ...options, signal: leaving.signal });
        if (current.current === leaving) {
          setState({ busy: false, failure: null });
        }
        return output;
      } catch (error) {
        if (current.current === leaving) {
          setState({ busy: false, failure: leaving.signal.aborted ? null : failureOf(error) });
        }
        return null;
      }
    },
    [client, name],
  );
  const reset = useCallback(() => setState((before) => ({ ...before, failure: null })), []);
  const cancel = useCallback(() => current.current?.abort(), []);
  return { run, ...state, reset, cancel };
}

/** The failure of a call, whatever error it threw. */
export function failureOf(error: unknown): UiFailure {
  if (error instanceof CallFailed) {
    return error.failure;
  }
  return {
    reason: 'internal',
    code: 'ui.page',
    message: 'something in this page went wrong',
    hint: 'Reload the page. If it keeps happening, please report it.',
  };
}
