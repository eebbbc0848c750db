import type { Pair, YAMLMap } from 'yaml';
import { columnOf, contentEnd, endWithComments, keyStart, layoutFault, newlineAt } from './places.ts';
import type { SourceText } from './source-text.ts';
import type { Edit } from './splice.ts';
import type { TreePair } from './tree.ts';
import { blockPairs, lineBreak, type Style } from './write-tree.ts';

/** Takes pairs out of a map in block style and puts `added` in the first one's place, or at the end of the map. */
export function editBlockMap(
  text: SourceText,
  map: YAMLMap,
  removed: readonly Pair[],
  added: readonly TreePair[],
  style: Omit<Style, 'newline'>,
): Edit[] {
  const [first, ...others] = removed;
  const edits = others.map((pair) => removeLines(text, pair));
  if (first && added.length === 0) {
    return [removeLines(text, first), ...edits];
  }
  if (first) {
    const { start, end } = pairLines(text, first);
    const laidOut = { ...style, newline: newlineAt(text, start) };
    edits.unshift({ start, end, text: blockPairs(added, columnOf(text, start), laidOut), rank: 0 });
  } else if (added.length > 0) {
    const last = map.items.at(-1) as Pair;
    const { start, end } = pairLines(text, last);
    const column = columnOf(text, start);
    const laidOut = { ...style, newline: newlineAt(text, start) };
    const lines = lineBreak(laidOut, column) + blockPairs(added, column, laidOut);
    edits.push({ start: end, end, text: lines, rank: 0 });
  }
  return edits;
}

/** From a pair's key to the end of its last line: its value, the comment beside it, and those inside it. */
function pairLines(text: SourceText, pair: Pair): { start: number; end: number } {
  const start = keyStart(text, pair);
  // Before it only space, or the dash of the list that its map is in: not `? `, not another key.
  if (!/^\ufeff?[ ]*(?:- *)*(?:[&!][^\s]* +)*$/.test(text.whole.slice(text.lineStart(start), start))) {
    throw layoutFault(text, start);
  }
  return { start, end: endWithComments(text, contentEnd(text, pair), columnOf(text, start)) };
}

/** Its lines with the line break before them: a text without a last one stays without. */
function removeLines(text: SourceText, pair: Pair): Edit {
  const { start, end } = pairLines(text, pair);
  const ownLine = text.lineStart(start);
  if (ownLine === 0 || text.whole.slice(ownLine, start).trim() !== '') {
    throw layoutFault(text, start);
  }
  return { start: text.lineEnd(text.lineStart(ownLine - 1)), end, text: '', rank: 0 };
}
