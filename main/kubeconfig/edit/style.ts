import { isMap, isPair, isScalar, isSeq, type YAMLMap, type YAMLSeq } from 'yaml';
import { columnOf, rangeOf } from './places.ts';
import type { SourceText } from './source-text.ts';
import type { Style } from './write-tree.ts';

/** How this file indents, by its first list and its first entry's map; as kubectl writes where it shows neither. */
export function styleOf(text: SourceText, root: YAMLMap | null): Omit<Style, 'newline'> {
  const lists = (root?.items ?? []).flatMap((pair) =>
    isPair(pair) && isSeq(pair.value) && !pair.value.flow && pair.value.items.length > 0
      ? [{ key: column(text, pair.key), list: pair.value as YAMLSeq }]
      : [],
  );
  const [first] = lists;
  const listStep = first ? Math.max(0, column(text, first.list) - first.key) : 0;
  for (const { list } of lists) {
    for (const entry of list.items.slice(0, 20)) {
      for (const pair of isMap(entry) && !entry.flow ? entry.items : []) {
        if (isScalar(pair.key) && isMap(pair.value) && !pair.value.flow) {
          return { listStep, step: Math.max(1, column(text, pair.value) - column(text, pair.key)) };
        }
      }
    }
  }
  return { listStep, step: 2 };
}

function column(text: SourceText, node: unknown): number {
  return columnOf(text, rangeOf(node)?.[0] ?? 0);
}
