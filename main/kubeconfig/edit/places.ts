import { isAlias, isMap, isPair, isScalar, isSeq, type Node, type Pair } from 'yaml';
import { EditFault } from './fault.ts';
import type { SourceText } from './source-text.ts';

/** Characters before `offset` in its line, a byte order mark aside. */
export function columnOf(text: SourceText, offset: number): number {
  const start = text.lineStart(offset);
  return offset - start - (start === 0 && text.whole.startsWith('\ufeff') ? 1 : 0);
}

export function layoutFault(text: SourceText, offset: number): EditFault {
  return new EditFault(`line ${text.lineAt(offset)} is written in a way that can’t be edited in place`);
}

/** Where a key begins. Throws EditFault for a key with an anchor or a tag, an alias, or none at all. */
export function keyStart(text: SourceText, pair: Pair): number {
  const { key } = pair;
  if (!isScalar(key) || !key.range || key.anchor !== undefined || key.tag !== undefined) {
    throw layoutFault(text, rangeOf(key)?.[0] ?? 0);
  }
  return key.range[0];
}

/** Just after the colon of a pair; after the key where it has none, as may be in flow style. */
export function afterColon(text: SourceText, pair: Pair): number {
  const end = rangeOf(pair.key)?.[1] ?? 0;
  const colon = /^[ \t]*:/.exec(text.whole.slice(end, end + 100));
  return end + (colon?.[0].length ?? 0);
}

/** Where what a node or pair says ends: before comments and line breaks that follow it. */
export function contentEnd(text: SourceText, node: unknown): number {
  if (isPair(node)) {
    const end = afterColon(text, node);
    return node.value === null || node.value === undefined
      ? end
      : Math.max(end, contentEnd(text, node.value));
  }
  const range = rangeOf(node);
  if ((isMap(node) || isSeq(node)) && !node.flow && node.items.length > 0) {
    return contentEnd(text, node.items.at(-1));
  }
  let end = range?.[1] ?? 0;
  if (isScalar(node) && (node.type === 'BLOCK_LITERAL' || node.type === 'BLOCK_FOLDED')) {
    while (end > 0 && /[\r\n]/.test(text.whole[end - 1] ?? '')) {
      end -= 1;
    }
  }
  return end;
}

export function rangeOf(node: unknown): Node['range'] {
  return isScalar(node) || isMap(node) || isSeq(node) || isAlias(node) ? node.range : undefined;
}

/** The end of the line on which content ends at `end`; throws EditFault where more than a comment follows. */
export function endOfContentLine(text: SourceText, end: number): number {
  const stop = text.lineEnd(end);
  if (!/^(?:[ \t]*|[ \t]+#.*)$/.test(text.whole.slice(end, stop))) {
    throw layoutFault(text, end);
  }
  return stop;
}

/** As `endOfContentLine`, with the comment lines below that are indented deeper than `column`: they belong to it. */
export function endWithComments(text: SourceText, end: number, column: number): number {
  let stop = endOfContentLine(text, end);
  for (let at = stop; at < text.whole.length; ) {
    const start = text.nextLine(at);
    if (start === 0) {
      break;
    }
    at = text.lineEnd(start);
    const line = text.whole.slice(start, at);
    const indent = /^ *(?=#)/.exec(line)?.[0].length;
    if (indent !== undefined && indent > column) {
      stop = at;
    } else if (line.trim() !== '') {
      break;
    }
  }
  return stop;
}

/** The line break that lines around `offset` have. */
export function newlineAt(text: SourceText, offset: number): string {
  const after = text.nextLine(offset);
  const next = after === 0 ? text.lineStart(offset) : after;
  return next > 1 && text.whole[next - 2] === '\r' ? '\r\n' : '\n';
}
