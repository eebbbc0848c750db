import { Document, isMap, isNode, isScalar, LineCounter, type Node, parseDocument } from 'yaml';
import { once } from '../base/once.ts';
import { type PlainScalar, type PlainValue, plainJs, readPlainBlocks } from '../base/plain-blocks.ts';
import { findInNodes } from './yaml-keys.ts';

/** A place in the file; both count from 1. */
export interface Place {
  line: number;
  column: number;
}

export type Path = readonly (string | number)[];

/** A parsed YAML text, with the places of its parts. */
export interface YamlText {
  text: string;
  /** The parser’s document. `editText` changes it. */
  readonly document: Document;
  /** The plain value of the text. Throws where an alias has no anchor or is used too often. */
  value(): unknown;
  /** Syntax errors and repeated keys. */
  faults: { place: Place; message: string }[];
  /** The place of the value (or key) at `path`; where there is none, the place of its nearest parent. */
  placeOf(path: Path, at: 'key' | 'value'): Place;
}

/**
 * The most lines, keys, list items, tags, anchors, aliases and escapes of a text: the time to read a text grows with these (about
 * a second at most), much less with its length. Enough for some ten thousand clusters.
 */
const partLimit = 250_000;
const referenceLimit = 2000;

/** How often one anchor may be used, with the aliases inside it. */
export const aliasLimit = 100;

/**
 * Parses YAML. Never throws: `faults` has what is wrong. `parts` and `characters`: so many at most of a text that the parser
 * of all of YAML has to read, which takes up to 6 µs for each part.
 */
export function parseYamlText(
  text: string,
  { parts = partLimit, characters = Number.POSITIVE_INFINITY } = {},
): YamlText {
  const lines = new LineCounter();
  const place = (offset: number): Place => {
    const { line, col } = lines.linePos(offset);
    return { line: Math.max(1, line), column: Math.max(1, col) };
  };
  if (placeOfTooMany(text, partLimit) !== null) {
    return tooManyParts(text, partLimit);
  }
  const plain = readPlainBlocks(text, resolveScalar);
  if (plain) {
    return plainText(text, plain, lines, place);
  }
  if (text.length > characters) {
    return notParsed(text, start, `it has more than ${characters} characters`);
  }
  return placeOfTooMany(text, parts) === null ? anyText(text, lines, place) : tooManyParts(text, parts);
}

const start: Place = { line: 1, column: 1 };

function tooManyParts(text: string, limit: number): YamlText {
  const message = `too many entries: up to here there are ${limit} lines, keys and list items`;
  return notParsed(text, placeOfTooMany(text, limit) ?? start, message);
}

function notParsed(text: string, place: Place, message: string): YamlText {
  const faults = [{ place, message }];
  return { text, document: new Document(), value: () => null, faults, placeOf: () => start };
}

type PlaceOfOffset = (offset: number) => Place;

/** A text whose layout shows valid YAML: the parser only runs where the document is needed. */
function plainText(text: string, plain: PlainValue, lines: LineCounter, place: PlaceOfOffset): YamlText {
  const document = once(() => parse(text, lines));
  const value = once(() => plainJs(plain));
  return {
    text,
    get document() {
      return document();
    },
    value,
    faults: [],
    placeOf: (path, at) => place(offsetOf(document(), path, at)),
  };
}

function anyText(text: string, lines: LineCounter, place: PlaceOfOffset): YamlText {
  const document = parse(text, lines);
  const { doubledKeys, references } = findInNodes(document);
  const faults = [
    ...document.errors.map(({ pos, code, message }) => ({
      offset: pos[0],
      message: faultText(code, message),
    })),
    ...doubledKeys.map((key) => ({ offset: startOf(key) ?? 0, message: 'map keys must be unique' })),
    ...(references <= referenceLimit
      ? []
      : [{ offset: 0, message: `more than ${referenceLimit} anchors (&) and aliases (*)` }]),
  ].sort((a, b) => a.offset - b.offset);
  return {
    text,
    document,
    value: once(() => document.toJS({ maxAliasCount: aliasLimit }) as unknown),
    faults: faults.map(({ offset, message }) => ({ place: place(offset), message })),
    placeOf: (path, at) => place(offsetOf(document, path, at)),
  };
}

function parse(text: string, lines: LineCounter): Document {
  return parseDocument(text, {
    lineCounter: lines,
    // Pretty errors quote the source, which may contain a secret that was pasted by mistake.
    prettyErrors: false,
    keepSourceTokens: false,
    // The parser’s warnings quote the source, too.
    logLevel: 'error',
    uniqueKeys: false,
  });
}

/** Only scalars that the parser surely reads alike (YAML 1.2, core schema); it decides on other numbers. */
function resolveScalar(source: string): PlainScalar | undefined {
  if (/^(0|[1-9]\d{0,14})$/.test(source)) {
    return Number(source);
  }
  if (source === 'true' || source === 'false') {
    return source === 'true';
  }
  return /^[A-Za-z/]/.test(source) && !/^(true|false|null)$/i.test(source) ? source : undefined;
}

function faultText(code: string, message: string): string {
  return code === 'MULTIPLE_DOCS'
    ? 'expected one document, without a second `---`'
    : `${message.charAt(0).toLowerCase()}${message.slice(1)}`;
}

/** The place of the first part above the limit; null where the text is within it. */
function placeOfTooMany(text: string, limit: number): Place | null {
  if (text.length <= limit) {
    return null;
  }
  // The characters that end or begin a line, a key, an item, a nested list, a tag, an anchor, an alias or an escape.
  const isMark = new Uint8Array(128);
  for (const mark of '\n:,[{?!&*\\') {
    isMark[mark.charCodeAt(0)] = 1;
  }
  let [parts, line, lineStart] = [0, 1, 0];
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    // Lists may begin within a line: `- - -`.
    const isItem = code === dash && text.charCodeAt(index + 1) === space;
    if (isMark[code] === 1 || isItem) {
      parts++;
      if (parts > limit) {
        return { line, column: index - lineStart + 1 };
      }
      if (code === lineFeed) {
        line++;
        lineStart = index + 1;
      }
    }
  }
  return null;
}

const lineFeed = 10;
const space = 32;
const dash = 45;

function offsetOf(document: Document, path: Path, at: 'key' | 'value'): number {
  let node: unknown = document.contents;
  let offset = startOf(node) ?? 0;
  for (const [index, step] of path.entries()) {
    const children: { key: unknown; value: unknown } | undefined = childOf(resolve(node, document), step);
    if (!children) {
      return offset;
    }
    const last = index === path.length - 1;
    const keyStart = startOf(children.key);
    const valueStart = isEmpty(children.value) ? undefined : startOf(children.value);
    offset = (last && at === 'value' ? (valueStart ?? keyStart) : (keyStart ?? valueStart)) ?? offset;
    node = children.value;
  }
  return offset;
}

function childOf(node: unknown, step: string | number): { key: unknown; value: unknown } | undefined {
  if (isMap(node)) {
    return node.items.find((pair) => String(isScalar(pair.key) ? pair.key.value : pair.key) === String(step));
  }
  if (typeof node === 'object' && node !== null && 'items' in node && Array.isArray(node.items)) {
    return { key: undefined, value: node.items[Number(step)] };
  }
  return undefined;
}

function resolve(node: unknown, document: Document): unknown {
  return isNode(node) && 'resolve' in node && typeof node.resolve === 'function'
    ? node.resolve(document)
    : node;
}

function startOf(node: unknown): number | undefined {
  return isNode(node) ? (node as Node).range?.[0] : undefined;
}

function isEmpty(node: unknown): boolean {
  return node === null || (isScalar(node) && node.value === null && node.source === '');
}
