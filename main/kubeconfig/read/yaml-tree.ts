import { LineCounter, parseDocument } from 'yaml';
import { tooDeepAt } from '../../base/nesting.ts';
import { type PlainValue, readPlainBlocks } from '../../base/plain-blocks.ts';
import { checkNodes } from './check-nodes.ts';
import { resolvePlainScalar, type ScalarValue } from './plain-scalar.ts';
import { faultOf, type YamlFault } from './yaml-fault.ts';
import { hasMoreParts } from './yaml-parts.ts';
import { createYamlValues, type YamlValue } from './yaml-value.ts';

export interface YamlTree {
  root: YamlValue;
  /** Line and column, from 1. */
  placeOf(offset: number): { line: number; column: number };
  /** With one the values mean nothing. */
  errors: readonly YamlFault[];
  warnings: readonly YamlFault[];
}

/** Characters that kubectl’s YAML reader rejects anywhere. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: those are looked for
const refused = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\uFFFE\uFFFF]/;

/** Line ends to kubectl (YAML 1.1), and characters like others to the parser (YAML 1.2): its values would differ. */
const otherLineEnds = /\r(?!\n)|[\x85\u2028\u2029]/;

/** Limit of the parts of a text (`hasMoreParts`): at most 2 or 3 s, in which all requests for credentials wait. */
const mostParts = 400_000;

const nothing: YamlValue = { offset: 0, kind: 'scalar', value: null };

/** The text as kubectl reads it, where it is in the layout that programs write; null: `parseYamlTree` has the word. */
export function readPlainYaml(text: string): PlainValue | null {
  return readPlainBlocks(text, resolveFinite);
}

/**
 * The first document of a YAML or JSON text as kubectl reads it (sigs.k8s.io/yaml over go-yaml v2), parsed once.
 * `pageParts`: of a text that isn't in the layout that programs write, how many parts are read for a page. Never throws.
 */
export function parseYamlTree(textWithMark: string, pageParts?: number): YamlTree {
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
  if (hasMoreParts(text, pageParts ?? mostParts)) {
    const message =
      pageParts === undefined
        ? 'more values than a kubeconfig has; make several files of it'
        : 'is too large to be read here in its layout; at a terminal: lanyard kubeconfig import';
    return { root: nothing, placeOf, errors: [{ offset: null, message }], warnings: [] };
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
 * its stack, but take minutes for a text of nothing else.
 */
function nestingFault(text: string): YamlFault | null {
  // Each run is matched completely: a match from each of its positions would cost hundreds of times the text.
  for (const { 0: run, index } of text.matchAll(/(?:[-?:][ \t]+){1,300}/g)) {
    if (run.length >= 600 && run.replace(/[ \t]+/g, '').length === 300) {
      return { offset: index, message: 'nested too deeply' };
    }
  }
  const offset = tooDeepAt(text);
  return offset === null ? null : { offset, message: 'nested too deeply' };
}

function readDocument(text: string): Omit<YamlTree, 'placeOf'> {
  const document = withoutStacks(() =>
    parseDocument(text, {
      // Scalars are made of their text here, as kubectl does it.
      schema: 'failsafe',
      // The check of the package is quadratic; go-yaml takes the last, and so does this.
      uniqueKeys: false,
      prettyErrors: false,
      logLevel: 'error',
    }),
  );
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

/**
 * The parser makes an error of each misplaced token, and goes on: with an unused stack, each would cost several times
 * the token.
 */
function withoutStacks<Result>(run: () => Result): Result {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    return run();
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
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
