import { isAlias, isMap, isScalar, isSeq, type Node, type YAMLMap } from 'yaml';
import type { ScalarValue } from './plain-scalar.ts';
import { isMergeKey, keyOf, scalarOf } from './scalar-of.ts';

/** A value of the text, with its place. Aliases are followed, merge keys taken in, when it is asked for its parts. */
export type YamlValue = { offset: number } & (
  | { kind: 'scalar'; value: ScalarValue }
  | { kind: 'list'; items(): YamlValue[] }
  | { kind: 'map'; entries(): ReadonlyMap<string, YamlEntry> }
);

export interface YamlEntry {
  keyOffset: number;
  value: YamlValue;
}

/** Turns nodes that checkNodes() found good into values. */
export function createYamlValues(
  targets: ReadonlyMap<Node, Node>,
): (node: unknown, fallbackOffset: number) => YamlValue {
  const made = new Map<YAMLMap, ReadonlyMap<string, YamlEntry>>();
  const follow = (node: unknown) => (isAlias(node) ? targets.get(node) : node);

  function toValue(given: unknown, fallbackOffset: number): YamlValue {
    const node = follow(given);
    const offset = (given as Node | null)?.range?.[0] ?? fallbackOffset;
    if (isMap(node)) {
      return { offset, kind: 'map', entries: () => entriesOf(node, offset) };
    }
    if (isSeq(node)) {
      return { offset, kind: 'list', items: () => node.items.map((item) => toValue(item, offset)) };
    }
    return { offset, kind: 'scalar', value: isScalar(node) ? (scalarOf(node) ?? null) : null };
  }

  function entriesOf(map: YAMLMap, offset: number): ReadonlyMap<string, YamlEntry> {
    const known = made.get(map);
    if (known) {
      return known;
    }
    const entries = new Map<string, YamlEntry>();
    for (const { key, value } of map.items) {
      const keyOffset = (key as Node | null)?.range?.[0] ?? offset;
      if (isMergeKey(key)) {
        takeIn(entries, value, keyOffset);
      } else {
        entries.set(keyOf(follow(key)) ?? '', { keyOffset, value: toValue(value, keyOffset) });
      }
    }
    made.set(map, entries);
    return entries;
  }

  /** As go-yaml v2 does it: in its turn, so that a `<<` after a key wins over it; of a list the first map wins. */
  function takeIn(entries: Map<string, YamlEntry>, value: unknown, offset: number): void {
    const maps = isSeq(value) ? value.items.toReversed() : [value];
    for (const map of maps.map(follow)) {
      if (isMap(map)) {
        for (const [name, entry] of entriesOf(map, offset)) {
          entries.set(name, entry);
        }
      }
    }
  }

  return toValue;
}
