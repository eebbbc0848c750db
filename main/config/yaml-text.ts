import { Document, isMap, isNode, isScalar, LineCounter, type Node, parseDocument } from 'yaml';
import { once } from '../base/once.ts';
import { type PlainScalar, type PlainValue, plainJs, readPlainBlocks } from '../base/plain-blocks.ts';
import { findInNodes } from './yaml-keys.ts';

/** A place in the file, from 1. */
export interface Place {
  line: number;
  column: number;
}

export type Path = readonly (string | number)[];

/** A YAML text, parsed, with the places of its parts. */
export interface YamlText {
  text: string;
  /** As parsed; an edit changes it. */
  readonly document: Document;
  /** The plain value of the text; throws where an alias has no anchor or stands too often. */
  value(): unknown;
  /** Syntax errors and doubled keys. */
  faults: { place: Place; message: string }[];
  /** Where the value at `path` (or its key) stands; the nearest parent's place where there is none. */
  placeOf(path: Path, at: 'key' | 'value'): Place;
}

/**
 * Lines, entries and parts of a text at most, and of them anchors and aliases: what a reading takes grows with these
 * (about a second at most), much less with the text's length. Some ten thousand clusters.
 */
const partLimit = 250_000;
const referenceLimit = 2000;

/** How often one anchor counts, with the aliases inside it. */
export const aliasLimit = 100;

/** Parses a text of YAML. Never throws over what it holds. */
export function parseYamlText(text: string): YamlText {
  const lines = new LineCounter();
  const place = (offset: number): Place => {
    const { line, col } = lines.linePos(offset);
    return { line: Math.max(1, line), column: Math.max(1, col) };
  };
  const tooMany = placeOfTooMany(text);
  if (tooMany !== null) {
    const message = `too many entries: up to here there are ${partLimit} lines, keys and list items`;
    const start: Place = { line: 1, column: 1 };
    const faults = [{ place: tooMany, message }];
    return { text, document: new Document(), value: () => null, faults, placeOf: () => start };
  }
  const plain = readPlainBlocks(text, resolveScalar);
  return plain ? plainText(text, plain, lines, place) : anyText(text, lines, place);
}

type PlaceOfOffset = (offset: number) => Place;

/** A text that is good YAML by its layout: all of the parser's work is done only where the document is asked for. */
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
    // Without pretty errors: those quote the source, which may hold what a person pasted in by mistake.
    prettyErrors: false,
    keepSourceTokens: false,
    // Its warnings quote the text, too.
    logLevel: 'error',
    uniqueKeys: false,
  });
}

/** What surely is the same in the parser's eyes (YAML 1.2, core schema): other numbers are left to it. */
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

/** The place of the first part above the limit; null where there is none. */
function placeOfTooMany(text: string): Place | null {
  if (text.length <= partLimit) {
    return null;
  }
  // What ends or begins a line, a key, an item or a nested list.
  const isMark = new Uint8Array(128);
  for (const mark of '\n:,[{?') {
    isMark[mark.charCodeAt(0)] = 1;
  }
  let [parts, line, lineStart] = [0, 1, 0];
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (isMark[code] === 1) {
      parts++;
      if (parts > partLimit) {
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
