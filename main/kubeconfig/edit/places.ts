import { isAlias, isMap, isPair, isScalar, isSeq, type Node, type Pair } from 'yaml';
import { EditFault } from './fault.ts';
import { lineAt } from './source.ts';

export function lineStart(text: string, offset: number): number {
  return text.lastIndexOf('\n', offset - 1) + 1;
}

/** Where the line ends, before its line break. */
export function lineEnd(text: string, offset: number): number {
  const at = text.indexOf('\n', offset);
  if (at === -1) {
    return text.length;
  }
  return at > offset && text[at - 1] === '\r' ? at - 1 : at;
}

/** Characters before `offset` in its line, a byte order mark aside. */
export function columnOf(text: string, offset: number): number {
  const start = lineStart(text, offset);
  return offset - start - (start === 0 && text.startsWith('\ufeff') ? 1 : 0);
}

export function layoutFault(text: string, offset: number): EditFault {
  return new EditFault(`line ${lineAt(text, offset)} is written in a way that can’t be edited in place`);
}

/** Where a key begins. Throws EditFault for a key with an anchor or a tag, an alias, or none at all. */
export function keyStart(text: string, pair: Pair): number {
  const { key } = pair;
  if (!isScalar(key) || !key.range || key.anchor !== undefined || key.tag !== undefined) {
    throw layoutFault(text, rangeOf(key)?.[0] ?? 0);
  }
  return key.range[0];
}

/** Just after the colon of a pair; after the key where it has none, as may be in flow style. */
export function afterColon(text: string, pair: Pair): number {
  const end = rangeOf(pair.key)?.[1] ?? 0;
  const colon = /^[ \t]*:/.exec(text.slice(end, end + 100));
  return end + (colon?.[0].length ?? 0);
}

/** Where what a node or pair says ends: before comments and line breaks that follow it. */
export function contentEnd(text: string, node: unknown): number {
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
    while (end > 0 && /[\r\n]/.test(text[end - 1] ?? '')) {
      end -= 1;
    }
  }
  return end;
}

export function rangeOf(node: unknown): Node['range'] {
  return isScalar(node) || isMap(node) || isSeq(node) || isAlias(node) ? node.range : undefined;
}

/** The end of the line on which content ends at `end`; throws EditFault where more than a comment follows. */
export function endOfContentLine(text: string, end: number): number {
  const stop = lineEnd(text, end);
  if (!/^(?:[ \t]*|[ \t]+#.*)$/.test(text.slice(end, stop))) {
    throw layoutFault(text, end);
  }
  return stop;
}

/** As `endOfContentLine`, with the comment lines below that are indented deeper than `column`: they belong to it. */
export function endWithComments(text: string, end: number, column: number): number {
  let stop = endOfContentLine(text, end);
  for (let at = stop; at < text.length; ) {
    const start = text.indexOf('\n', at) + 1;
    if (start === 0) {
      break;
    }
    at = lineEnd(text, start);
    const line = text.slice(start, at);
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
export function newlineAt(text: string, offset: number): string {
  const after = text.indexOf('\n', offset);
  const at = after === -1 ? text.lastIndexOf('\n') : after;
  return at > 0 && text[at - 1] === '\r' ? '\r\n' : '\n';
}
