import { type Document, isAlias, isMap, isPair, isScalar, isSeq, type Pair, type YAMLMap } from 'yaml';
import { EditFault } from './fault.ts';

/** A key's text; null for a key that is no scalar. */
export function keyText(pair: Pair): string | null {
  return isScalar(pair.key) ? scalarSource(pair.key.value, pair.key.source) : null;
}

/** A scalar's text, whatever type YAML makes of it. */
export function scalarSource(value: unknown, source: string | undefined): string {
  return typeof value === 'string' ? value : typeof value === 'symbol' ? '<<' : (source ?? String(value));
}

export function isMergePair(pair: Pair): boolean {
  return isScalar(pair.key) && (typeof pair.key.value === 'symbol' || pair.key.value === '<<');
}

/** The map that a node is or is an alias of; null where it is neither. */
export function mapOf(node: unknown, document: Document): YAMLMap | null {
  const target = isAlias(node) ? node.resolve(document) : node;
  return isMap(target) ? (target as YAMLMap) : null;
}

/** The pair of this key in the map itself. Throws EditFault where the key is repeated. */
export function ownPair(map: YAMLMap, key: string): Pair | null {
  const found = map.items.filter((pair) => isPair(pair) && keyText(pair) === key && !isMergePair(pair));
  if (found.length > 1) {
    throw new EditFault(`the key ${key} stands twice in one map`);
  }
  return (found[0] as Pair | undefined) ?? null;
}

const depthLimit = 32;

/** Keys with their nodes, merges (`<<`) written out: what the map itself says wins, then the first of a list. */
export function resolvedPairs(map: YAMLMap, document: Document, depth = 0): Map<string, unknown> {
  const all = new Map<string, unknown>();
  for (const pair of map.items) {
    if (!isMergePair(pair)) {
      const key = isScalar(pair.key) ? pair.key.value : null;
      // `on` is a boolean to YAML 1.1, also as a key.
      if (typeof key !== 'string' || all.has(key)) {
        throw new EditFault('a map has a key twice, or one that is no text');
      }
      all.set(key, pair.value);
    }
  }
  for (const pair of map.items.filter(isMergePair)) {
    for (const [key, value] of mergedPairs(pair, document, depth)) {
      if (!all.has(key)) {
        all.set(key, value);
      }
    }
  }
  return all;
}

/** What a merge key brings in. */
export function mergedPairs(pair: Pair, document: Document, depth = 0): Map<string, unknown> {
  if (depth > depthLimit) {
    throw new EditFault('merge keys go too deep');
  }
  const value = isAlias(pair.value) ? pair.value.resolve(document) : pair.value;
  const all = new Map<string, unknown>();
  for (const source of isSeq(value) ? value.items : [value]) {
    const map = mapOf(source, document);
    if (!map) {
      throw new EditFault('a merge key (<<) brings in what is no map');
    }
    for (const [key, each] of resolvedPairs(map, document, depth + 1)) {
      if (!all.has(key)) {
        all.set(key, each);
      }
    }
  }
  return all;
}

/** The value of a key, from the map itself or through a merge. */
export function lookUp(map: YAMLMap, key: string, document: Document): unknown {
  const own = ownPair(map, key);
  if (own) {
    return own.value;
  }
  for (const merge of map.items.filter(isMergePair)) {
    const merged = mergedPairs(merge, document);
    if (merged.has(key)) {
      return merged.get(key);
    }
  }
  return undefined;
}
