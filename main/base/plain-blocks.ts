export type PlainScalar = string | number | boolean | null;

/** A value of the text, with its place in UTF-16 units. */
export type PlainValue = { offset: number } & (
  | { kind: 'scalar'; value: PlainScalar }
  | { kind: 'list'; items(): PlainValue[] }
  | { kind: 'map'; entries(): ReadonlyMap<string, PlainEntry> }
);

export interface PlainEntry {
  keyOffset: number;
  value: PlainValue;
}

/** What a scalar without quotes is; undefined where that is left to the parser of all of YAML. */
export type ResolveScalar = (source: string) => PlainScalar | undefined;

/** Deeper ones are not as programs write them. */
const mostLevels = 40;

/**
 * The root of a YAML text in the layout in which programs write it: blocks of plain keys, each value on the line of its
 * key, or begun there. Null where anything else stands in it, right or wrong: the parser of all of YAML has the word
 * then. That one takes a second for some thousand clusters, and a broker that reads has other calls waiting.
 */
export function readPlainBlocks(text: string, resolve: ResolveScalar): PlainValue | null {
  if (/[\t\r]/.test(text) || !text.isWellFormed()) {
    return null;
  }
  try {
    return new BlockReader(text, resolve).read();
  } catch (error) {
    if (error instanceof OtherLayout) {
      return null;
    }
    throw error;
  }
}

/** The value without its places. */
export function plainJs(value: PlainValue): unknown {
  switch (value.kind) {
    case 'scalar':
      return value.value;
    case 'list':
      return value.items().map(plainJs);
    case 'map':
      return Object.fromEntries([...value.entries()].map(([name, entry]) => [name, plainJs(entry.value)]));
  }
}

class OtherLayout extends Error {}

const key = /([A-Za-z_][\w./@-]{0,127}):(?= |\n|$)/y;
const notPlain = new Set(',[]{}#&*!|>\'"%@`');

class BlockReader {
  readonly #text: string;
  readonly #resolve: ResolveScalar;
  /** Of the line that is read: where its content begins, how far that is indented, where it ends. */
  #start = 0;
  #indent = -1;
  #end = -1;

  constructor(text: string, resolve: ResolveScalar) {
    this.#text = text;
    this.#resolve = resolve;
  }

  read(): PlainValue {
    this.#advance();
    const root = this.#map(0, 0);
    return this.#indent === -1 ? root : other();
  }

  /** To the next line that is neither empty nor a comment; after the last the indentation is -1. */
  #advance(): void {
    const text = this.#text;
    for (let lineStart = this.#end + 1; lineStart < text.length; lineStart = this.#end + 1) {
      let start = lineStart;
      while (text.charCodeAt(start) === space) {
        start++;
      }
      const end = text.indexOf('\n', start);
      this.#end = end === -1 ? text.length : end;
      if (start < this.#end && text.charCodeAt(start) !== hash) {
        this.#start = start;
        this.#indent = start - lineStart;
        return;
      }
    }
    this.#indent = -1;
  }

  #block(indent: number, level: number): PlainValue {
    if (level > mostLevels) {
      other();
    }
    return this.#isItem() ? this.#list(indent, level) : this.#map(indent, level);
  }

  #map(indent: number, level: number): PlainValue {
    const offset = this.#start;
    const entries = new Map<string, PlainEntry>();
    while (this.#indent === indent && !this.#isItem()) {
      const keyOffset = this.#start;
      const name = this.#key() ?? other();
      if (entries.has(name) || this.#resolve(name) !== name) {
        other();
      }
      entries.set(name, { keyOffset, value: this.#valueAfter(keyOffset + name.length + 1, indent, level) });
    }
    return entries.size === 0 || this.#indent > indent
      ? other()
      : { offset, kind: 'map', entries: () => entries };
  }

  /** A list may stand at its key's own column. */
  #valueAfter(colonEnd: number, indent: number, level: number): PlainValue {
    const offset = this.#skipSpaces(colonEnd);
    if (offset < this.#end) {
      return this.#scalar(offset, indent);
    }
    this.#advance();
    if (this.#indent > indent || (this.#indent === indent && this.#isItem())) {
      return this.#block(this.#indent, level + 1);
    }
    return { offset, kind: 'scalar', value: null };
  }

  #list(indent: number, level: number): PlainValue {
    const offset = this.#start;
    const items: PlainValue[] = [];
    while (this.#indent === indent && this.#isItem()) {
      const dash = this.#start;
      const content = this.#skipSpaces(dash + 1);
      this.#start = content;
      if (content >= this.#end || this.#isItem()) {
        other();
      }
      if (this.#key() !== null) {
        this.#indent = indent + content - dash;
        items.push(this.#map(this.#indent, level + 1));
      } else {
        items.push(this.#scalar(content, indent));
      }
    }
    return this.#indent > indent ? other() : { offset, kind: 'list', items: () => items };
  }

  /** The rest of the line, and what goes on with it: lines that are indented further. */
  #scalar(offset: number, indent: number): PlainValue {
    const [source, end] = [this.#lineFrom(offset), this.#end];
    this.#advance();
    if (this.#indent > indent) {
      return { offset, kind: 'scalar', value: this.#folded(source, end, indent) };
    }
    if (source === '{}') {
      return { offset, kind: 'map', entries: () => new Map() };
    }
    if (source === '[]') {
      return { offset, kind: 'list', items: () => [] };
    }
    return { offset, kind: 'scalar', value: quotedText(source) ?? this.#plain([source]) };
  }

  /** Programs break long text, such as a plugin's installHint, between two words. */
  #folded(first: string, firstEnd: number, indent: number): PlainScalar {
    const lines = [first];
    for (let end = firstEnd; this.#indent > indent; this.#advance()) {
      if (this.#start - this.#indent !== end + 1) {
        other();
      }
      lines.push(this.#lineFrom(this.#start));
      end = this.#end;
    }
    return this.#plain(lines);
  }

  #plain(lines: readonly string[]): PlainScalar {
    const value = lines.every(isPlain) ? this.#resolve(lines.join(' ')) : undefined;
    return value === undefined ? other() : value;
  }

  #lineFrom(offset: number): string {
    return this.#text.slice(offset, this.#end).trimEnd();
  }

  #key(): string | null {
    key.lastIndex = this.#start;
    return key.exec(this.#text)?.[1] ?? null;
  }

  #isItem(): boolean {
    const text = this.#text;
    const isDash = text.charCodeAt(this.#start) === dashCode;
    return isDash && (this.#start + 1 >= this.#end || text.charCodeAt(this.#start + 1) === space);
  }

  #skipSpaces(from: number): number {
    let at = from;
    while (at < this.#end && this.#text.charCodeAt(at) === space) {
      at++;
    }
    return at;
  }
}

const [space, hash, dashCode] = [32, 35, 45];

/** False where a line of text isn't that alone, or may be more. */
function isPlain(line: string): boolean {
  const isOther =
    notPlain.has(line.charAt(0)) ||
    /^[-?:]( |$)/.test(line) ||
    line.endsWith(':') ||
    line.includes(': ') ||
    line.includes(' #');
  return !isOther;
}

/** Null where it isn't in quotes, or holds an escape. */
function quotedText(source: string): string | null {
  const quote = source.charAt(0);
  const inner = source.slice(1, -1);
  const isQuoted = (quote === '"' || quote === "'") && source.length > 1 && source.endsWith(quote);
  return isQuoted && !inner.includes(quote) && (quote === "'" || !inner.includes('\\')) ? inner : null;
}

function other(): never {
  throw new OtherLayout();
}
