import { useRef } from 'react';

/** The last defined value: it stays visible while a new answer is awaited. */
export function useKept<Value>(value: Value | null): Value | null {
  const kept = useRef<Value | null>(null);
  if (value !== null) {
    kept.current = value;
  }
  return kept.current;
}
