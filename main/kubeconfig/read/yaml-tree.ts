import { LineCounter, parseDocument } from 'yaml';
import { type PlainValue, readPlainBlocks } from '../../base/plain-blocks.ts';
import { checkNodes } from './check-nodes.ts';
import { resolvePlainScalar, type ScalarValue } from './plain-scalar.ts';
import { faultOf, type YamlFault } from './yaml-fault.ts';
import { createYamlValues, type YamlValue } from './yaml-value.ts';

export interface YamlTree {
  root: YamlValue;
  /** Line and column, from 1. */
  placeOf(offset: number): { line: number; column: number };
  /** With one the values mean nothing. */
  errors: readonly YamlFault[];
  warnings: readonly YamlFault[];
}

/** Characters that kubectl's YAML reader refuses wherever they stand. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: those are looked for
const refused = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\uFFFE\uFFFF]/;

/** Line ends to kubectl (YAML 1.1), and characters like others to the parser (YAML 1.2): its values would differ. */
const otherLineEnds = /\r(?!\n)|[\x85\u2028\u2029]/;

const mostBrackets = 600;

/**
 * Values and lines of a text, an anchor counting for ten: what is read beyond holds up everybody who asks for a
 * credential. One takes some 10 µs, a megabyte of quoted characters 50 ms.
 */
const mostParts = 400_000;

/** What is read of a text that isn't in the layout that programs write. */
export interface SlowLayoutLimits {
  mostParts: number;
  mostCharacters: number;
}

const nothing: YamlValue = { offset: 0, kind: 'scalar', value: null };

/** The text as kubectl reads it, where it is in the layout that programs write; null: `parseYamlTree` has the word. */
export function readPlainYaml(text: string): PlainValue | null {
  return readPlainBlocks(text, resolveFinite);
}

/**
 * The first document of a YAML or JSON text as kubectl reads it (sigs.k8s.io/yaml over go-yaml v2), parsed once. `slow`:
 * what is read for a page. Never throws.
 */
export function parseYamlTree(textWithMark: string, slow?: SlowLayoutLimits): YamlTree {
  const text = textWithMark.startsWith('\uFEFF') ? textWithMark.slice(1) : textWithMark;
  const placeOf = createPlaces(text);
  const fault = characterFault(text) ?? nestingFault(text);
  if (fault) {
    return { root: nothing, placeOf, errors: [fault], warnings: [] };
  }
  const plain = readPlainYaml(text);
  if (plain) {
    return { root: plain, placeOf, errors: [], warnings: [] };
  }
  const size = slow ? slowFault(text, slow) : sizeFault(text);
  if (size) {
    return { root: nothing, placeOf, errors: [size], warnings: [] };
  }
  try {
    return { ...readDocument(text), placeOf };
  } catch (error) {
    if (error instanceof RangeError) {
      const fault = { offset: null, message: 'nested too deeply' };
      return { root: nothing, placeOf, errors: [fault], warnings: [] };
    }
    throw error;
  }
}

function characterFault(text: string): YamlFault | null {
  const control = refused.exec(text);
  if (control) {
    return { offset: control.index, message: 'a control character, which YAML does not allow' };
  }
  const end = otherLineEnds.exec(text);
  return end && { offset: end.index, message: 'an unusual line end; make it LF or CRLF' };
}

/**
 * Levels of brackets that no kubeconfig has, or as many dashes in a row. Without this the parser would find the end of
 * its stack, but take minutes for a text of nothing else. Brackets within quotes count, too: those come in pairs.
 */
function nestingFault(text: string): YamlFault | null {
  // Each run is taken whole, for a look from each of its places would cost hundreds of times the text.
  for (const { 0: run, index } of text.matchAll(/(?:[-?:][ \t]+){1,300}/g)) {
    if (run.length >= 600 && run.replace(/[ \t]+/g, '').length === 300) {
      return { offset: index, message: 'nested too deeply' };
    }
  }
  let depth = 0;
  for (const { 0: bracket, index } of text.matchAll(/[[\]{}]/g)) {
    depth = bracket === '[' || bracket === '{' ? depth + 1 : Math.max(0, depth - 1);
    if (depth > mostBrackets) {
      return { offset: index, message: 'nested too deeply' };
    }
  }
  return null;
}

function sizeFault(text: string): YamlFault | null {
  return hasTooManyParts(text, mostParts)
    ? { offset: null, message: 'more values than a kubeconfig has; make several files of it' }
    : null;
}

function slowFault(text: string, { mostParts, mostCharacters }: SlowLayoutLimits): YamlFault | null {
  const message =
    'is too large for here in a layout that isn’t kubectl’s; at a terminal: lanyard kubeconfig import';
  return text.length > mostCharacters || hasTooManyParts(text, mostParts) ? { offset: null, message } : null;
}

/** A rough count, from above: what stands in quotes counts, too, and so do lines without anything. */
function hasTooManyParts(text: string, mostParts: number): boolean {
  let parts = 0;
  for (const { 0: mark } of text.matchAll(/[-?:][ \t\r\n]|[,[{&\n]/g)) {
    parts += mark === '&' ? 10 : 1;
    if (parts > mostParts) {
      return true;
    }
  }
  return false;
}

function readDocument(text: string): Omit<YamlTree, 'placeOf'> {
  const document = parseDocument(text, {
    // Scalars are made of their text here, as kubectl does it.
    schema: 'failsafe',
    // The check of the package is quadratic; go-yaml takes the last, and so does this.
    uniqueKeys: false,
    prettyErrors: false,
    logLevel: 'error',
  });
  const errors: YamlFault[] = [];
  const warnings: YamlFault[] = [];
  for (const error of document.errors) {
    if (error.code === 'MULTIPLE_DOCS') {
      const message = 'more than one document; kubectl reads the first one only';
      warnings.push({ offset: error.pos[0], message });
    } else {
      errors.push(faultOf(error.code, error.pos[0]));
    }
  }
  const { explicit, version } = document.directives?.yaml ?? { explicit: false, version: '1.1' };
  if (explicit && version !== '1.1') {
    errors.push({ offset: 0, message: 'kubectl reads YAML 1.1 only; leave the line `%YAML` out' });
  }
  if (errors.length > 0) {
    return { root: nothing, errors, warnings };
  }
  const checked = checkNodes(document.contents);
  return {
    root: checked.errors.length > 0 ? nothing : createYamlValues(checked.targets)(document.contents, 0),
    errors: checked.errors,
    warnings: [...warnings, ...checked.warnings],
  };
}

/** What JSON can't hold is for the check of all nodes to refuse. */
function resolveFinite(source: string): ScalarValue | undefined {
  const value = resolvePlainScalar(source);
  return typeof value === 'number' && !Number.isFinite(value) ? undefined : value;
}

function createPlaces(text: string): YamlTree['placeOf'] {
  const lines = new LineCounter();
  for (let start = 0; ; ) {
    lines.addNewLine(start);
    const end = text.indexOf('\n', start);
    if (end === -1) {
      break;
    }
    start = end + 1;
  }
  return (offset) => {
    const { line, col } = lines.linePos(offset);
    return { line: Math.max(1, line), column: Math.max(1, col) };
  };
}
