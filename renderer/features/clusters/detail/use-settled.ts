import { useEffect, useState } from 'react';

/** How long it must be still, in milliseconds. */
const stillMilliseconds = 200;

/** The same value, once it has been still for a moment: not each letter, and not each step of a drag, is asked about. */
export function useSettled<Value>(value: Value): Value {
  const [settled, setSettled] = useState(value);
  const key = JSON.stringify(value);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key stands for the value
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), stillMilliseconds);
    return () => clearTimeout(timer);
  }, [key]);
  return settled;
}
