import { type Document, isAlias, isMap, isNode, isPair, isScalar, isSeq, type Node } from 'yaml';

/** What a look at all nodes of a document finds. */
export interface NodeFindings {
  /** Keys that stand twice in one mapping, in no order; those that come later. */
  doubledKeys: Node[];
  /** Anchors and aliases together. */
  references: number;
}

/**
 * Looks at each node once. The parser's own look for doubled keys compares each key of a mapping with all before
 * it: with thousands of keys that takes longer than all else.
 */
export function findInNodes(document: Document): NodeFindings {
  const found: NodeFindings = { doubledKeys: [], references: 0 };
  const left: unknown[] = [document.contents];
  while (left.length > 0) {
    const node = left.pop();
    if (isPair(node)) {
      left.push(node.value, node.key);
      continue;
    }
    if (isAlias(node) || (isNode(node) && node.anchor !== undefined)) {
      found.references++;
    }
    if (isMap(node)) {
      found.doubledKeys.push(...doubledIn(node.items.map(({ key }) => key)));
    }
    if (isMap(node) || isSeq(node)) {
      for (const item of node.items) {
        left.push(item);
      }
    }
  }
  return found;
}

/** Scalars of the same type and value: `1` and `"1"` are two keys. */
function doubledIn(keys: readonly unknown[]): Node[] {
  if (keys.length < 2) {
    return [];
  }
  const seen = new Set<unknown>();
  return keys.filter((key): key is Node => {
    if (!isScalar(key) || Number.isNaN(key.value)) {
      return false;
    }
    const isDoubled = seen.has(key.value);
    seen.add(key.value);
    return isDoubled;
  });
}
