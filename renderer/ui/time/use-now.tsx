import {
  createContext,
  type ReactNode,
  useCallback,
  useContext,
  useEffect,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';
import { createTicker, type Ticker } from './ticker.ts';

const TickerContext = createContext<Ticker | null>(null);

/** Gives the views the broker's clock. `offset`: how far it is ahead of the page's own, in milliseconds. */
export function TimeProvider({ offset, children }: { offset: number; children: ReactNode }) {
  const current = useRef(offset);
  const [ticker] = useState(() =>
    createTicker({
      now: () => Date.now() + current.current,
      setTimeout: (run, milliseconds) => window.setTimeout(run, milliseconds),
      clearTimeout: (timer) => window.clearTimeout(timer),
    }),
  );
  useEffect(() => {
    current.current = offset;
    ticker.tick();
  }, [offset, ticker]);
  useEffect(() => {
    // Timers of an invisible page are late.
    const look = () => ticker.tick();
    document.addEventListener('visibilitychange', look);
    return () => document.removeEventListener('visibilitychange', look);
  }, [ticker]);
  return <TickerContext value={ticker}>{children}</TickerContext>;
}

function useTicker(): Ticker {
  const ticker = useContext(TickerContext);
  if (!ticker) {
    throw new Error('no TimeProvider above');
  }
  return ticker;
}

/** The broker's time at the last full step, in milliseconds since 1970. Renders again with each step. */
export function useNow(stepMilliseconds: number): number {
  return useOfNow((now) => now, stepMilliseconds);
}

/** A value computed from the broker's time (a text, a number, a flag). Renders again only when it changes. */
export function useOfNow<Value extends string | number | boolean | null>(
  compute: (now: number) => Value,
  stepMilliseconds = 1000,
): Value {
  const ticker = useTicker();
  const subscribe = useCallback(
    (listener: () => void) => ticker.subscribe(stepMilliseconds, listener),
    [ticker, stepMilliseconds],
  );
  return useSyncExternalStore(subscribe, () => compute(ticker.at(stepMilliseconds)));
}
