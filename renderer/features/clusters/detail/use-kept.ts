import { useRef } from 'react';

/** The last value that was there: what is shown stays while a new answer is waited for. */
export function useKept<Value>(value: Value | null): Value | null {
  const kept = useRef<Value | null>(null);
  if (value !== null) {
    kept.current = value;
  }
  return kept.current;
}
