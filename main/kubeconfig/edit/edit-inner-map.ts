import { type Document, isAlias, isMap, isScalar, type Pair, Scalar, type YAMLMap } from 'yaml';
import { editBlockMap } from './edit-block-map.ts';
import { editFlowMap, flowStyleOf } from './edit-flow-map.ts';
import { EditFault } from './fault.ts';
import { isMergePair, keyText, lookUp, mapOf, mergedPairs, ownPair, resolvedPairs } from './pairs.ts';
import { afterColon, columnOf, contentEnd, endOfContentLine, keyStart, newlineAt } from './places.ts';
import { scalarLike } from './scalar-text.ts';
import type { Source } from './source.ts';
import type { SourceText } from './source-text.ts';
import type { Edit } from './splice.ts';
import { type TreePair, treeOfNode } from './tree.ts';
import { blockPairs, flowValue, lineBreak, type Style } from './write-tree.ts';

/** What is done to a map: keys that go, whatever they hold, and keys that come. */
export interface MapChange {
  removed: ReadonlySet<string>;
  added: readonly TreePair[];
}

/** Changes the map `key` of an entry of a list: `user` of a user, `context` of a context. */
export function editInnerMap(
  { text, document }: Source,
  entry: YAMLMap,
  key: string,
  change: MapChange,
  style: Omit<Style, 'newline'>,
): Edit[] {
  const pair = ownPair(entry, key);
  const value = pair?.value;
  if (pair && isMap(value) && value.items.length > 0) {
    return editMap(text, value as YAMLMap, change, document, style);
  }
  // Missing, or an alias of something elsewhere: the value is written out here.
  const elsewhere = pair ? value : lookUp(entry, key, document);
  const written = writtenOut(elsewhere, change, document, key);
  if (!pair) {
    const added: TreePair = [key, { kind: 'map', pairs: written }];
    return entry.flow ? editFlowMap(text, entry, [], [added]) : editBlockMap(text, entry, [], [added], style);
  }
  return replaceValue(text, entry, pair, written, style);
}

/** Changes a map in place. */
export function editMap(
  text: SourceText,
  map: YAMLMap,
  change: MapChange,
  document: Document,
  style: Omit<Style, 'newline'>,
): Edit[] {
  const [only] = change.added;
  const old = only && change.added.length === 1 && change.removed.size === 1 ? ownPair(map, only[0]) : null;
  if (old && only?.[1].kind === 'text' && (isOneLine(text, old.value) || isAlias(old.value))) {
    const end = contentEnd(text, old.value);
    const start = old.value.range?.[0] ?? end;
    const where = map.flow ? flowStyleOf(text, map).where : 'block';
    const written = scalarLike(text.whole.slice(start, end), only[1].value, where);
    return start < end
      ? [{ start, end, text: written, rank: 0 }]
      : [{ start: afterColon(text, old), end, text: ` ${written}`, rank: 0 }];
  }
  const { removed, added } = withMergesWrittenOut(map, change, document);
  return map.flow ? editFlowMap(text, map, removed, added) : editBlockMap(text, map, removed, added, style);
}

function isOneLine(text: SourceText, value: unknown): value is Scalar {
  return (
    isScalar(value) &&
    value.type !== Scalar.BLOCK_LITERAL &&
    value.type !== Scalar.BLOCK_FOLDED &&
    value.tag === undefined &&
    value.anchor === undefined &&
    !text.whole.slice(value.range?.[0], contentEnd(text, value)).includes('\n')
  );
}

/**
 * The pairs that go and those that come. A merge (`<<`) that brings in what must go is written out without it; any
 * other stays.
 */
function withMergesWrittenOut(map: YAMLMap, change: MapChange, document: Document) {
  const removed: Pair[] = [];
  const added = [...change.added];
  const own = new Set<string>();
  for (const pair of map.items) {
    const key = keyText(pair);
    if (isMergePair(pair)) {
      const merged = mergedPairs(pair, document);
      if (![...merged.keys()].some((each) => isChanged(change, each))) {
        continue;
      }
      if ([...merged.keys()].some((each) => own.has(each) && !isChanged(change, each))) {
        throw new EditFault(
          'a merge key (<<) brings in what stands before it, too; kubectl takes the merged one',
        );
      }
      removed.push(pair);
      for (const [each, value] of merged) {
        if (!isChanged(change, each) && !map.items.some((other) => keyText(other) === each)) {
          added.push([each, treeOfNode(value, document)]);
        }
      }
    } else if (key !== null) {
      own.add(key);
      if (isChanged(change, key)) {
        removed.push(pair);
      }
    }
  }
  return { removed, added };
}

function isChanged({ removed, added }: MapChange, key: string): boolean {
  return removed.has(key) || added.some(([each]) => each === key);
}

/** The changed pairs of a value that is defined elsewhere. */
export function writtenOut(
  node: unknown,
  change: MapChange,
  document: Document,
  key: string,
): readonly TreePair[] {
  const isEmpty = node === undefined || node === null || (isScalar(node) && node.value === null);
  if (isEmpty && isScalar(node) && (node.anchor !== undefined || node.tag !== undefined)) {
    throw new EditFault(`its ${key} has an anchor that others may stand on, or a tag`);
  }
  const map = isEmpty ? null : mapOf(node, document);
  if (!isEmpty && !map) {
    throw new EditFault(`its ${key} is no map of keys`);
  }
  const kept = map ? [...resolvedPairs(map, document)].filter(([each]) => !isChanged(change, each)) : [];
  return [...kept.map(([each, value]): TreePair => [each, treeOfNode(value, document)]), ...change.added];
}

/** Puts a map in the place of `null`, nothing, `{}` or an alias. */
function replaceValue(
  text: SourceText,
  entry: YAMLMap,
  pair: Pair,
  pairs: readonly TreePair[],
  style: Omit<Style, 'newline'>,
): Edit[] {
  const start = keyStart(text, pair);
  const colon = afterColon(text, pair);
  const end = contentEnd(text, pair);
  if (entry.flow) {
    const written = flowValue({ kind: 'map', pairs }, { ...flowStyleOf(text, entry), lines: null });
    const hasColon = text.whole[colon - 1] === ':';
    return [{ start: colon, end, text: `${hasColon ? '' : ':'} ${written}`, rank: 0 }];
  }
  const laidOut = { ...style, newline: newlineAt(text, start) };
  const inner = columnOf(text, start) + style.step;
  const stop = endOfContentLine(text, end);
  const lines = lineBreak(laidOut, inner) + blockPairs(pairs, inner, laidOut);
  return [
    { start: colon, end, text: '', rank: 0 },
    { start: stop, end: stop, text: lines, rank: 0 },
  ];
}
