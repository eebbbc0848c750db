import { type Document, isMap, type Node, parseDocument, type YAMLMap } from 'yaml';
import { EditFault } from './fault.ts';
import { SourceText } from './source-text.ts';

/** A kubeconfig's text, parsed once: with the YAML that kubectl reads (1.1, merge keys, the first document). */
export interface Source {
  text: SourceText;
  document: Document;
  /** Null where there is nothing but comments. */
  root: YAMLMap | null;
  /** All of it as plain values. */
  value: unknown;
}

/** The most aliases: enough to repeat a large part of a file thousands of times, but no bomb. */
const aliasLimit = 10_000;

/**
 * Throws EditFault where the text isn't YAML, or not what kubectl would read in the same way: a lone carriage return
 * and Unicode's own line ends are line breaks to kubectl's parser and none to this one.
 */
export function parseSource(whole: string): Source {
  const text = new SourceText(whole);
  const strange = /\r(?!\n)|[\u0085\u2028\u2029]/.exec(whole);
  if (strange) {
    throw new EditFault(`line ${text.lineAt(strange.index)} has a line break that kubectl reads differently`);
  }
  const document = parseDocument(whole, {
    version: '1.1',
    merge: true,
    prettyErrors: false,
    uniqueKeys: false,
    logLevel: 'error',
  });
  // kubectl reads the first document and ignores the others.
  const error = document.errors.find(({ code }) => code !== 'MULTIPLE_DOCS');
  if (error) {
    // Not its message: that may quote the text, which may be a secret.
    throw new EditFault(`line ${text.lineAt(error.pos[0])} isn’t valid YAML`);
  }
  const { contents } = document;
  if (contents !== null && !isMap(contents) && !isEmptyNode(contents)) {
    throw new EditFault('it isn’t a map of keys');
  }
  return {
    text,
    document,
    root: isMap(contents) ? (contents as YAMLMap) : null,
    value: plainValue(document),
  };
}

function plainValue(document: Document): unknown {
  try {
    return document.toJS({ maxAliasCount: aliasLimit });
  } catch {
    throw new EditFault('an alias stands for what isn’t there, or for too much');
  }
}

function isEmptyNode(node: Node): boolean {
  return 'value' in node && node.value === null;
}
