/** What is selected in a list, by its keys. */
export type Selection<Item> = ReadonlyMap<string, Item>;

/** Selects one, or no longer. `most`: one call takes no more. */
export function toggled<Item>(
  selection: Selection<Item>,
  key: string,
  item: Item,
  most: number,
): Selection<Item> {
  const next = new Map(selection);
  return next.delete(key) ? next : withAll(selection, [[key, item]], most);
}

/** With these, too, as far as they fit. */
export function withAll<Item>(
  selection: Selection<Item>,
  items: Iterable<readonly [string, Item]>,
  most: number,
): Selection<Item> {
  const next = new Map(selection);
  for (const [key, item] of items) {
    if (next.has(key) || next.size < most) {
      next.set(key, item);
    }
  }
  return next;
}
