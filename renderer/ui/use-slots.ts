import { useRef } from 'react';

/**
 * A number for each key of a virtual list, from 0: a key keeps its number, and a new key gets one that is free. Rows that
 * take it as their React key are drawn in elements that are there already, which is faster than making new ones.
 */
export function useSlots(keys: readonly string[]): ReadonlyMap<string, number> {
  const slots = useRef<ReadonlyMap<string, number>>(new Map());
  slots.current = withSlots(slots.current, keys);
  return slots.current;
}

/** The slots of these keys, as many of them as before as possible. */
export function withSlots(
  before: ReadonlyMap<string, number>,
  keys: readonly string[],
): ReadonlyMap<string, number> {
  const taken = new Set(keys.flatMap((key) => before.get(key) ?? []));
  let next = 0;
  const free = () => {
    while (taken.has(next)) {
      next += 1;
    }
    next += 1;
    return next - 1;
  };
  return new Map(keys.map((key) => [key, before.get(key) ?? free()]));
}
