import { useRef } from 'react';

/** The last value that wasn't null. It stays visible while a new answer is loading. */
export function useKept<Value>(value: Value | null): Value | null {
  const kept = useRef<Value | null>(null);
  if (value !== null) {
    kept.current = value;
  }
  return kept.current;
}
