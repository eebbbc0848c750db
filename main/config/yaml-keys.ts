import { type Document, isAlias, isMap, isNode, isPair, isScalar, isSeq, type Node } from 'yaml';

/** What `findInNodes` finds. */
export interface NodeFindings {
  /** Repeated keys of a mapping, without the first of each; in no order. */
  doubledKeys: Node[];
  /** Anchors and aliases together. */
  references: number;
}

/**
 * Visits each node once. The parser’s own search for repeated keys compares each key of a mapping with all before it:
 * with thousands of keys that takes longer than all else.
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

/** Keys are equal where both type and value are: `1` and `"1"` are two keys. */
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
