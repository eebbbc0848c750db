import { type Document, isAlias, isMap, isScalar, isSeq, type Node, Scalar } from 'yaml';
import { keepsDigits, lostDigits } from '../../contract/json-value.ts';
import { EditFault } from './fault.ts';
import { resolvedPairs } from './pairs.ts';

/** A value that is to be written. `plain`: a scalar without quotes, as it stood elsewhere, whatever its type. */
export type Tree =
  | { kind: 'text'; value: string }
  | { kind: 'plain'; source: string }
  | { kind: 'list'; items: readonly Tree[] }
  | { kind: 'map'; pairs: readonly TreePair[] };

export type TreePair = readonly [key: string, value: Tree];

/** A value of JSON. Throws EditFault for a number of the file that can’t be written again as it stands. */
export function treeOf(value: unknown): Tree {
  if (typeof value === 'string') {
    return { kind: 'text', value };
  }
  if (Array.isArray(value)) {
    return { kind: 'list', items: value.map(treeOf) };
  }
  if (typeof value === 'object' && value !== null) {
    const pairs = Object.entries(value).filter(([, each]) => each !== undefined);
    return { kind: 'map', pairs: pairs.map(([key, each]) => [key, treeOf(each)]) };
  }
  if (typeof value === 'number' && !keepsDigits(value)) {
    throw new EditFault(`an entry that would have to be written again ${lostDigits}`);
  }
  return { kind: 'plain', source: JSON.stringify(value ?? null) };
}

/** What a node says, with aliases and merges written out; throws EditFault where a tag says more than the text. */
export function treeOfNode(node: unknown, document: Document): Tree {
  if (isAlias(node)) {
    const target = node.resolve(document);
    if (!target) {
      throw new EditFault('an alias stands for what isn’t there');
    }
    return treeOfNode(target, document);
  }
  if (node === null || node === undefined) {
    return { kind: 'plain', source: 'null' };
  }
  if ((node as Node).tag && !(node as Node).tag?.startsWith('tag:yaml.org,2002:')) {
    throw new EditFault('a tag would have to be written again elsewhere');
  }
  if (isMap(node)) {
    const pairs = resolvedPairs(node, document);
    return { kind: 'map', pairs: [...pairs].map(([key, value]) => [key, treeOfNode(value, document)]) };
  }
  if (isSeq(node)) {
    return { kind: 'list', items: node.items.map((item) => treeOfNode(item, document)) };
  }
  if (isScalar(node)) {
    return scalarTree(node);
  }
  throw new EditFault('a value would have to be written again elsewhere that is none of YAML’s own kinds');
}

function scalarTree(node: Scalar): Tree {
  if (typeof node.value === 'string') {
    return { kind: 'text', value: node.value };
  }
  if (node.type === Scalar.PLAIN && node.tag === undefined) {
    return { kind: 'plain', source: node.source || 'null' };
  }
  throw new EditFault('a tag would have to be written again elsewhere');
}
