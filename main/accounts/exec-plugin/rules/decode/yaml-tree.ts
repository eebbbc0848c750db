import { Composer, type Document, isAlias, isMap, isScalar, isSeq, Parser, type Scalar } from 'yaml';
import type { Member, Tree, Unreadable } from './tree.ts';
import { plainScalar } from './yaml-scalar.ts';

/**
 * A credential in YAML is shorter, and has few special characters; a text with more is not parsed: the parser's time
 * grows with the square of them, and no other caller is served meanwhile.
 */
const limits = { characters: 64 * 1024, marks: 512, lines: 4096, nodes: 10_000 };

/** As go-yaml's reader: C0 but tab and line ends, DEL, C1 but NEL, halves of pairs; and U+FFFD: bytes that are no text. */
const noYaml = /[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffc\u{10000}-\u{10ffff}]/u;

/** Those that YAML 1.2 has no more. */
const lineEnds = /[\x85\u2028\u2029]/g;

/** The tree of a YAML text's first document, as sigs.k8s.io/yaml makes JSON of it: later members of a name win. */
export function yamlTree(text: string): { ok: true; tree: Tree } | Unreadable {
  if (!isSmall(text)) {
    return unreadable('it is too large or too intricate for a credential');
  }
  if (noYaml.test(text)) {
    return unreadable('control characters are not allowed');
  }
  try {
    const options = { version: '1.1', schema: 'failsafe', uniqueKeys: false, logLevel: 'error' } as const;
    const { value: document } = new Composer(options)
      .compose(new Parser().parse(text.replaceAll(lineEnds, '\n')))
      .next();
    if (!document) {
      return { ok: true, tree: { kind: 'null' } };
    }
    const [error] = document.errors;
    if (error) {
      return unreadable(`line ${text.slice(0, error.pos[0]).split('\n').length}: it can’t be parsed`);
    }
    return { ok: true, tree: new Reading(document).tree(document.contents) };
  } catch (error) {
    // The library's own errors quote the text.
    return unreadable(error instanceof NoJson ? error.message : 'it can’t be parsed');
  }
}

function isSmall(text: string): boolean {
  const count = (what: RegExp) => text.match(what)?.length ?? 0;
  return (
    text.length <= limits.characters &&
    // Not a dash within a word: PEM and base64url have them. No text of a credential has many of the others.
    count(/[?:,[\]{}&*!%@`|>'"\\]|(?<!\S)-(?!\S)/g) <= limits.marks &&
    count(/\n/g) <= limits.lines
  );
}

class NoJson extends Error {}

class Reading {
  readonly #document: Document;
  readonly #inside = new Set<unknown>();
  #nodes = 0;

  constructor(document: Document) {
    this.#document = document;
  }

  tree(node: unknown): Tree {
    if (++this.#nodes > limits.nodes) {
      throw new NoJson('document contains excessive aliasing');
    }
    if (isAlias(node)) {
      const target = node.resolve(this.#document);
      if (target === undefined) {
        throw new NoJson('an unknown anchor is referenced');
      }
      return this.tree(target);
    }
    if (this.#inside.has(node)) {
      throw new NoJson('an anchor’s value contains itself');
    }
    this.#inside.add(node);
    const tree = isMap(node) ? this.#object(node.items) : isSeq(node) ? this.#list(node.items) : scalar(node);
    this.#inside.delete(node);
    return tree;
  }

  #list(items: readonly unknown[]): Tree {
    for (const item of items) {
      this.tree(item);
    }
    return { kind: 'array' };
  }

  #object(pairs: readonly { key: unknown; value: unknown }[]): Tree {
    const members = new Map<string, Tree>();
    for (const { key, value } of pairs) {
      for (const [name, tree] of isMerge(key) ? this.#merged(value) : [this.#member(key, value)]) {
        members.set(name, tree);
      }
    }
    // The order of JSON made of a map of Go's.
    return { kind: 'object', members: [...members].sort(([a], [b]) => (a < b ? -1 : 1)) };
  }

  #member(key: unknown, value: unknown): Member {
    const name = this.tree(key);
    if (name.kind === 'null' || name.kind === 'object' || name.kind === 'array') {
      throw new NoJson('unsupported map key');
    }
    // A number or a boolean becomes text, which is no name of a credential’s.
    return [name.kind === 'string' ? name.value : `(${name.kind})`, this.tree(value)];
  }

  /** Of `<<`: a map, or a list of them, of which the first wins. */
  #merged(value: unknown): readonly Member[] {
    if (isSeq(value)) {
      return value.items.toReversed().flatMap((item) => this.#mapOf(item));
    }
    return this.#mapOf(value);
  }

  #mapOf(node: unknown): readonly Member[] {
    const tree = this.tree(node);
    if (tree.kind !== 'object') {
      throw new NoJson('map merge requires map or sequence of maps as the value');
    }
    return tree.members;
  }
}

function isMerge(key: unknown): boolean {
  return isScalar(key) && key.value === '<<' && key.type === 'PLAIN' && key.tag === undefined;
}

function scalar(node: unknown): Tree {
  if (!isScalar(node)) {
    return { kind: 'null' };
  }
  const text = String(node.value ?? '');
  const tree = node.tag === undefined ? untagged(node, text) : tagged(node.tag, text);
  if (tree === null) {
    throw new NoJson('unsupported value');
  }
  return tree;
}

function untagged({ type }: Scalar, text: string): Tree | null {
  return type === 'PLAIN' || type === undefined ? plainScalar(text) : { kind: 'string', value: text };
}

function tagged(tag: string, text: string): Tree | null {
  const plain = plainScalar(text);
  switch (tag.replace(/^tag:yaml\.org,2002:|^!!/, '')) {
    case 'binary':
      return { kind: 'string', value: Buffer.from(text, 'base64').toString('utf8') };
    case 'null':
    case 'bool':
      return plain !== null && tag.endsWith(plain.kind) ? plain : null;
    case 'int':
    case 'float':
      return plain?.kind === 'number' ? plain : null;
    default:
      return { kind: 'string', value: text };
  }
}

function unreadable(message: string): Unreadable {
  return { ok: false, message: `yaml: ${message}` };
}
