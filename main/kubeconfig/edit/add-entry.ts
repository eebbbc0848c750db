import { isMap, isPair, type YAMLMap, type YAMLSeq } from 'yaml';
import { flowStyleOf } from './edit-flow-map.ts';
import { keyText } from './pairs.ts';
import { columnOf, contentEnd, endWithComments, layoutFault, newlineAt, rangeOf } from './places.ts';
import type { Source } from './source.ts';
import type { SourceText } from './source-text.ts';
import type { Edit } from './splice.ts';
import type { TreePair } from './tree.ts';
import { blockPairs, type FlowStyle, flowValue, type Style } from './write-tree.ts';

/** Adds an entry to a list just after `neighbour`, as that one is written: the order of its keys, its style. */
export function addEntry(
  { text }: Source,
  list: YAMLSeq,
  neighbour: YAMLMap,
  pairs: readonly TreePair[],
  style: Omit<Style, 'newline'>,
): Edit {
  const order = neighbour.items.map((pair) => (isPair(pair) ? keyText(pair) : null));
  const place = (key: string) => (order.includes(key) ? order.indexOf(key) : order.length);
  const sorted = pairs.toSorted(([a], [b]) => place(a) - place(b));
  const end = contentEnd(text, neighbour);
  if (list.flow) {
    return afterFlowItem(text, neighbour, sorted, end);
  }
  const dash = columnOf(text, rangeOf(list)?.[0] ?? 0);
  const start = rangeOf(neighbour)?.[0] ?? 0;
  const newline = newlineAt(text, start);
  const stop = endWithComments(text, end, dash);
  const prefix = text.whole.slice(text.lineStart(start), start);
  // Where the dash has its own line, or an anchor, the new one is written the usual way.
  const lead = /^ *- +$/.test(prefix) ? prefix : `${' '.repeat(dash)}- `;
  const written = neighbour.flow
    ? flowValue({ kind: 'map', pairs: sorted }, onOneLine(flowStyleOf(text, neighbour)))
    : blockPairs(sorted, lead.length, { ...style, newline });
  return { start: stop, end: stop, text: newline + lead + written, rank: 1 };
}

function onOneLine(style: FlowStyle): FlowStyle {
  return { ...style, lines: null };
}

function afterFlowItem(text: SourceText, neighbour: YAMLMap, pairs: readonly TreePair[], end: number): Edit {
  const start = rangeOf(neighbour)?.[0] ?? 0;
  if (!isMap(neighbour) || neighbour.items.length === 0) {
    throw layoutFault(text, start);
  }
  const style = flowStyleOf(text, neighbour);
  const indent = /^[ \t]*/.exec(text.whole.slice(text.lineStart(start), start))?.[0] ?? '';
  const isFirstOnLine = indent.length === start - text.lineStart(start);
  const lines = style.lines ? { ...style.lines, indent } : null;
  const separator = isFirstOnLine ? newlineAt(text, start) + indent : style.space;
  const written = flowValue({ kind: 'map', pairs }, { ...style, lines });
  return { start: end, end, text: `,${separator}${written}`, rank: 1 };
}
