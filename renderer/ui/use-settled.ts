import { useEffect, useState } from 'react';

/** How long the value must stay the same. */
const stillMilliseconds = 200;

/** The value once it has stayed the same for a moment, so that not each letter or step of a drag causes a request. */
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
