import { type Document, isAlias, isMap, isNode, isScalar, isSeq, type Scalar } from 'yaml';
import { goQuote } from './go-quote.ts';
import type { Member, Tree } from './tree.ts';
import { plainScalar } from './yaml-scalar.ts';

const mostNodes = 10_000;
/** More tell nothing new, and each takes time. */
const mostRepeated = 100;

/** The line of a place in a text, from 1. */
export function lineOf(text: string, position: number): number {
  return text.slice(0, position).split('\n').length;
}

/** What no JSON can say. */
export class NoJson extends Error {}

/** Makes JSON’s tree of a document of YAML. */
export class YamlReading {
  /** What go-yaml’s strict form says of names that come again. */
  readonly repeated: string[] = [];
  readonly #document: Document;
  readonly #text: string;
  readonly #inside = new Set<unknown>();
  #nodes = 0;

  constructor(document: Document, text: string) {
    this.#document = document;
    this.#text = text;
  }

  tree(node: unknown): Tree {
    if (++this.#nodes > mostNodes) {
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
    return { kind: 'array', items: items.map((item) => this.tree(item)) };
  }

  #object(pairs: readonly { key: unknown; value: unknown }[]): Tree {
    const members = new Map<string, Tree>();
    for (const { key, value } of pairs) {
      for (const [name, tree] of isMerge(key) ? this.#merged(value) : [this.#member(key, value)]) {
        if (members.has(name) && this.repeated.length < mostRepeated) {
          this.#repeat(name, isMerge(key) ? this.#valueIn(value, name) : value);
        }
        members.set(name, tree);
      }
    }
    // The order of JSON made of a map of Go's.
    return { kind: 'object', members: [...members].sort(([a], [b]) => (a < b ? -1 : 1)) };
  }

  /** Tells the line of its value. */
  #repeat(name: string, value: unknown): void {
    const [start] = (isNode(value) ? value.range : null) ?? [0];
    this.repeated.push(`line ${lineOf(this.#text, start)}: key ${goQuote(name)} already set in map`);
  }

  /** The value of a name in a map that is merged. */
  #valueIn(node: unknown, name: string): unknown {
    const map = isAlias(node) ? node.resolve(this.#document) : node;
    return isMap(map) ? map.items.find(({ key }) => isScalar(key) && key.value === name)?.value : node;
  }

  #member(key: unknown, value: unknown): Member {
    const name: Tree = this.tree(key);
    if (name.kind === 'null' || name.kind === 'object' || name.kind === 'array') {
      throw new NoJson('unsupported map key');
    }
    return [name.kind === 'number' ? name.text : String(name.value), this.tree(value)];
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
