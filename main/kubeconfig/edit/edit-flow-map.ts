import type { Pair, YAMLMap } from 'yaml';
import { afterColon, contentEnd, keyStart, layoutFault, newlineAt } from './places.ts';
import type { SourceText } from './source-text.ts';
import type { Edit } from './splice.ts';
import type { TreePair } from './tree.ts';
import { type FlowStyle, flowPair } from './write-tree.ts';

/** Takes pairs out of a map in flow style (`{}`, JSON) and puts `added` in the first one's place, or at its end. */
export function editFlowMap(
  text: SourceText,
  map: YAMLMap,
  removed: readonly Pair[],
  added: readonly TreePair[],
): Edit[] {
  const style = flowStyleOf(text, map);
  const [first, ...others] = added.length > 0 ? removed : [null, ...removed];
  const written = added.map((pair) => flowPair(pair, style));
  const separator = style.lines ? `,${style.lines.newline}${style.lines.indent}` : `,${style.space}`;
  const edits: Edit[] = [];
  if (first) {
    const start = keyStart(text, first);
    edits.push({ start, end: contentEnd(text, first), text: written.join(separator), rank: 0 });
  } else if (added.length > 0) {
    const end = contentEnd(text, map.items.at(-1));
    edits.push({ start: end, end, text: separator + written.join(separator), rank: 0 });
  }
  return [...edits, ...removals(text, map, others as Pair[])];
}

function removals(text: SourceText, map: YAMLMap, removed: readonly Pair[]): Edit[] {
  const gone = new Set<unknown>(removed);
  const lastKept = map.items.findLast((pair) => !gone.has(pair));
  const last = map.items.at(-1);
  const end = contentEnd(text, last);
  if (!lastKept || lastKept === last || commaAfter(text, end) !== null) {
    return removed.map((pair) => removeItem(text, pair));
  }
  // What follows it is gone, and there was no comma at the end: then its own comma goes as well.
  const keptEnd = contentEnd(text, lastKept);
  const inTail = new Set<unknown>(map.items.slice(map.items.indexOf(lastKept) + 1));
  const before = removed.filter((pair) => !inTail.has(pair)).map((pair) => removeItem(text, pair));
  if (!text.whole.slice(keptEnd, end).includes('\n')) {
    return [...before, { start: keptEnd, end, text: '', rank: 0 }];
  }
  const comma = commaAfter(text, keptEnd);
  if (comma === null) {
    throw layoutFault(text, keptEnd);
  }
  const tail = removed.filter((pair) => inTail.has(pair)).map((pair) => removeItem(text, pair));
  return [...before, { start: comma, end: comma + 1, text: '', rank: 0 }, ...tail];
}

/** One pair with its comma; with its complete line where the line has nothing else. */
function removeItem(text: SourceText, pair: Pair): Edit {
  const start = keyStart(text, pair);
  const end = contentEnd(text, pair);
  const comma = commaAfter(text, end);
  const past = comma === null ? end : comma + 1;
  const before = text.lineStart(start);
  const stop = text.lineEnd(past);
  const alone =
    text.whole.slice(before, start).trim() === '' && /^\s*(?:#.*)?$/.test(text.whole.slice(past, stop));
  if (alone && before > 0) {
    return { start: text.lineEnd(text.lineStart(before - 1)), end: stop, text: '', rank: 0 };
  }
  const spaces = comma === null ? 0 : (/^[ \t]*/.exec(text.whole.slice(past, stop))?.[0].length ?? 0);
  return { start, end: past + spaces, text: '', rank: 0 };
}

/** The offset of the comma after an item; comments may come before it. */
export function commaAfter(text: SourceText, end: number): number | null {
  const found = /^(?:\s|(?<=\s)#.*\n)*,/.exec(text.whole.slice(end, end + 10_000));
  return found ? end + found[0].length - 1 : null;
}

/** How a map in flow style that has pairs is written. */
export function flowStyleOf(text: SourceText, map: YAMLMap): FlowStyle {
  const open = map.range?.[0] ?? 0;
  const first = map.items[0] as Pair;
  const start = keyStart(text, first);
  const where = text.whole[start] === '"' ? 'json' : 'flow';
  const space = where === 'json' && /\S/.test(text.whole[afterColon(text, first)] ?? '') ? '' : ' ';
  const padding = text.whole.slice(open + 1, start);
  if (!padding.includes('\n')) {
    return { where, space, padding, lines: null };
  }
  const indent = /[^\n]*$/.exec(padding)?.[0] ?? '';
  const outer = /^[ \t]*/.exec(text.whole.slice(text.lineStart(open)))?.[0] ?? '';
  const step = indent.startsWith(outer) && indent.length > outer.length ? indent.slice(outer.length) : '  ';
  return { where, space: ' ', padding: '', lines: { newline: newlineAt(text, open), indent, step } };
}
