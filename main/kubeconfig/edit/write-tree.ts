import { doubleQuoted, scalarText } from './scalar-text.ts';
import type { Tree, TreePair } from './tree.ts';

/** How a text is laid out where something is added. */
export interface Style {
  /** Spaces from a key to the keys in its map. */
  step: number;
  /** Spaces from a key to the dashes of its list: 0 as kubectl writes, else as the file does. */
  listStep: number;
  /** What ends a line. */
  newline: string;
}

/** `key: value` in block style; the first line without its indentation, the others at `column`. */
export function blockPair([key, value]: TreePair, column: number, style: Style): string {
  const name = scalarText(key, 'block');
  if (value.kind === 'map' && value.pairs.length > 0) {
    const inner = column + style.step;
    return `${name}:${lineBreak(style, inner)}${blockPairs(value.pairs, inner, style)}`;
  }
  if (value.kind === 'list' && value.items.length > 0) {
    const inner = column + style.listStep;
    const items = value.items.map((item) => `- ${blockItem(item, inner + 2, style)}`);
    return `${name}:${lineBreak(style, inner)}${items.join(lineBreak(style, inner))}`;
  }
  return `${name}: ${flowValue(value, { ...noPadding, where: 'block' })}`;
}

export function blockPairs(pairs: readonly TreePair[], column: number, style: Style): string {
  return pairs.map((pair) => blockPair(pair, column, style)).join(lineBreak(style, column));
}

function blockItem(item: Tree, column: number, style: Style): string {
  return item.kind === 'map' && item.pairs.length > 0
    ? blockPairs(item.pairs, column, style)
    : flowValue(item, { ...noPadding, where: item.kind === 'list' ? 'flow' : 'block' });
}

export function lineBreak(style: Pick<Style, 'newline'>, column: number): string {
  return style.newline + ' '.repeat(column);
}

/** How flow style (`{}`, `[]`, JSON) is written. */
export interface FlowStyle {
  where: 'block' | 'flow' | 'json';
  /** What follows a colon and a comma: a space, or nothing as in compact JSON. */
  space: string;
  /** Inside a brace: `{ a: b }`. */
  padding: string;
  /** Set where each value has its own line: the indentation of a line, here and for each further level. */
  lines: { newline: string; indent: string; step: string } | null;
}

const noPadding: FlowStyle = { where: 'flow', space: ' ', padding: '', lines: null };

export function flowPair([key, value]: TreePair, style: FlowStyle): string {
  const name = style.where === 'json' ? doubleQuoted(key) : scalarText(key, 'flow');
  // Without a space only after a quoted key, as in JSON.
  return `${name}:${name.endsWith('"') ? style.space : ' '}${flowValue(value, style)}`;
}

export function flowValue(value: Tree, style: FlowStyle): string {
  switch (value.kind) {
    case 'text':
      return scalarText(value.value, style.where);
    case 'plain':
      return value.source;
    case 'list':
      return brackets(
        '[',
        value.items.map((item) => (inner: FlowStyle) => flowValue(item, inner)),
        ']',
        '',
        style,
      );
    case 'map':
      return brackets(
        '{',
        value.pairs.map((pair) => (inner: FlowStyle) => flowPair(pair, inner)),
        '}',
        style.padding,
        style,
      );
  }
}

function brackets(
  open: string,
  items: readonly ((inner: FlowStyle) => string)[],
  close: string,
  padding: string,
  style: FlowStyle,
): string {
  const { lines } = style;
  const where = style.where === 'block' ? 'flow' : style.where;
  if (items.length === 0) {
    return open + close;
  }
  if (!lines) {
    const texts = items.map((write) => write({ ...style, where }));
    return open + padding + texts.join(`,${style.space}`) + padding + close;
  }
  const inner = { ...lines, indent: lines.indent + lines.step };
  const texts = items.map((write) => inner.newline + inner.indent + write({ ...style, where, lines: inner }));
  return `${open}${texts.join(',')}${lines.newline}${lines.indent}${close}`;
}
