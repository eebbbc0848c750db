import { type Document, isMap, isNode, isScalar, LineCounter, type Node, parseDocument } from 'yaml';

/** A place in the file, from 1. */
export interface Place {
  line: number;
  column: number;
}

export type Path = readonly (string | number)[];

/** A YAML text with the places of its parts. */
export interface YamlText {
  document: Document;
  /** Syntax errors and doubled keys. */
  faults: { place: Place; message: string }[];
  /** Where the value at `path` (or its key) stands; the nearest parent's place where there is none. */
  placeOf(path: Path, at: 'key' | 'value'): Place;
}

export function parseYamlText(text: string): YamlText {
  const lines = new LineCounter();
  // Without pretty errors: those quote the source, which may hold what a person pasted in by mistake.
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, keepSourceTokens: false });
  const place = (offset: number): Place => {
    const { line, col } = lines.linePos(offset);
    return { line: Math.max(1, line), column: Math.max(1, col) };
  };
  return {
    document,
    faults: document.errors.map((error) => ({
      place: place(error.pos[0]),
      message:
        error.code === 'MULTIPLE_DOCS'
          ? 'expected one document, without a second `---`'
          : `${error.message.charAt(0).toLowerCase()}${error.message.slice(1)}`,
    })),
    placeOf: (path, at) => place(offsetOf(document, path, at)),
  };
}

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
