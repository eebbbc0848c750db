import type { ValueCount } from '../../../main/contract/ui/profile-query.ts';

/** An item of the list: the heading of a group, or the row at a place in the list’s order. */
export type ListItem = { kind: 'heading'; group: ValueCount } | { kind: 'row'; offset: number };

/** The list from top to bottom: its rows, and above the first row of each group its heading. */
export interface ListLayout {
  count: number;
  itemAt(index: number): ListItem;
  /** The index of the row at that place. */
  indexOf(offset: number): number;
}

/** `groups` in the list’s order. Rows beyond the last group have no heading. */
export function listLayout(matching: number, groups: readonly ValueCount[]): ListLayout {
  // For each group the index of its heading, and the place of its first row.
  const starts: { index: number; offset: number }[] = [];
  let offset = 0;
  for (const { count } of groups) {
    starts.push({ index: offset + starts.length, offset });
    offset += count;
  }
  return {
    count: matching + groups.length,
    itemAt(index) {
      const at = lastAtOrBefore(starts, (start) => start.index <= index);
      const group = groups[at];
      return group && starts[at]?.index === index
        ? { kind: 'heading', group }
        : { kind: 'row', offset: index - (at + 1) };
    },
    indexOf(place) {
      return place + lastAtOrBefore(starts, (start) => start.offset <= place) + 1;
    },
  };
}

/** The last that fulfils it, of those that fulfil it first; -1: none. */
function lastAtOrBefore<Item>(items: readonly Item[], fulfils: (item: Item) => boolean): number {
  let [low, high] = [0, items.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (fulfils(items[middle] as Item)) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low - 1;
}
