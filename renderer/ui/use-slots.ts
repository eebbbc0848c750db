import { useRef } from 'react';

/**
 * A number for each key of a virtual list. A key keeps its number. Where all keys are new (a search, a jump), they get the
 * numbers of those before, in order: rows that take them as their React keys are drawn in elements that are there already,
 * which is faster than making new ones. Where one stays, the others get numbers that no key had: React moves no element.
 */
export function useSlots(keys: readonly string[]): ReadonlyMap<string, number> {
  const slots = useRef<ReadonlyMap<string, number>>(new Map());
  slots.current = withSlots(slots.current, keys);
  return slots.current;
}

/** The slots of these keys, given those that were shown before. */
export function withSlots(
  before: ReadonlyMap<string, number>,
  keys: readonly string[],
): ReadonlyMap<string, number> {
  const slots = [...before.values()];
  const isAnother = !keys.some((key) => before.has(key));
  let next = Math.max(-1, ...slots) + 1;
  const free = (index: number) => (isAnother ? slots[index] : undefined) ?? next++;
  return new Map(keys.map((key, index) => [key, before.get(key) ?? free(index)]));
}
