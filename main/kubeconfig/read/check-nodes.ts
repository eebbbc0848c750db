import { isAlias, isMap, isScalar, isSeq, type Node, type YAMLMap } from 'yaml';
import { isMergeKey, keyOf, scalarOf } from './scalar-of.ts';
import type { YamlFault } from './yaml-fault.ts';

/** What a document’s aliases refer to, and which of its nodes kubectl rejects. */
export interface CheckedNodes {
  /** By alias. */
  targets: ReadonlyMap<Node, Node>;
  errors: YamlFault[];
  warnings: YamlFault[];
}

/** How often kubectl would visit a node's parts, aliases followed; and how many of those visits are due to aliases. */
interface Size {
  all: number;
  aliased: number;
}

const enough = 1e12;

/** Walks once over all nodes, in the order of the text. */
export function checkNodes(root: unknown): CheckedNodes {
  const checker = new Checker();
  const size = checker.visit(root);
  if (checker.errors.length === 0 && isExcessive(size)) {
    checker.errors.push({ offset: null, message: 'its aliases expand to too much' });
  }
  return checker;
}

class Checker implements CheckedNodes {
  readonly targets = new Map<Node, Node>();
  readonly errors: YamlFault[] = [];
  readonly warnings: YamlFault[] = [];
  readonly #anchors = new Map<string, Node>();
  readonly #sizes = new Map<Node, Size>();

  visit(node: unknown): Size {
    if (isAlias(node)) {
      return this.#visitAlias(node);
    }
    if (!isScalar(node) && !isMap(node) && !isSeq(node)) {
      return { all: 1, aliased: 0 };
    }
    if (node.anchor !== undefined) {
      this.#anchors.set(node.anchor, node);
    }
    const size: Size = { all: 1, aliased: 0 };
    if (isScalar(node)) {
      this.#visitScalar(scalarOf(node), startOf(node));
    } else if (isMap(node)) {
      this.#visitMap(node, size);
    } else {
      for (const item of node.items) {
        add(size, this.visit(item));
      }
    }
    if (node.anchor !== undefined) {
      this.#sizes.set(node, size);
    }
    return size;
  }

  #visitAlias(node: Node & { source: string }): Size {
    const target = this.#anchors.get(node.source);
    const size = target && this.#sizes.get(target);
    if (!target || !size) {
      const message = target
        ? 'an anchor whose value contains itself'
        : 'an alias without an anchor before it';
      this.errors.push({ offset: startOf(node), message });
      return { all: 1, aliased: 0 };
    }
    this.targets.set(node, target);
    return { all: 1 + size.all, aliased: size.all };
  }

  #visitScalar(value: unknown, offset: number): void {
    if (value === undefined) {
      this.errors.push({ offset, message: 'a tag that does not fit its value' });
    } else if (typeof value === 'number' && !Number.isFinite(value)) {
      this.errors.push({ offset, message: 'a number that JSON does not have; text wants quotes' });
    } else if (typeof value === 'string' && !value.isWellFormed()) {
      this.errors.push({ offset, message: 'half of a surrogate pair, which is no character' });
    }
  }

  #visitMap(map: YAMLMap, size: Size): void {
    const keys = new Set<string>();
    for (const { key, value } of map.items) {
      const offset = startOf(key) ?? startOf(map);
      add(size, this.visit(key));
      add(size, this.visit(value));
      if (isMergeKey(key)) {
        this.#checkMerged(value, offset);
        continue;
      }
      const name = keyOf(isAlias(key) ? this.targets.get(key) : key);
      if (name === null) {
        this.errors.push({ offset, message: 'a key must be text' });
      } else if (keys.has(name)) {
        this.warnings.push({ offset, message: 'the same key twice; kubectl takes the last' });
      } else {
        keys.add(name);
      }
    }
  }

  #checkMerged(value: unknown, offset: number): void {
    const maps = isSeq(value) ? value.items : [value];
    if (!maps.every((each) => isMap(isAlias(each) ? this.targets.get(each) : each))) {
      this.errors.push({ offset, message: '`<<` wants a map, or a list of maps' });
    }
  }
}

function add(size: Size, part: Size): void {
  size.all = Math.min(enough, size.all + part.all);
  size.aliased = Math.min(enough, size.aliased + part.aliased);
}

function startOf(node: unknown): number {
  return (node as Node | null)?.range?.[0] ?? 0;
}

/** go-yaml's own limits (decode.go, allowedAliasRatio). */
function isExcessive({ all, aliased }: Size): boolean {
  const [low, high] = [400_000, 4_000_000];
  const share = Math.min(1, Math.max(0, (all - low) / (high - low)));
  return aliased > 100 && all > 1000 && aliased / all > 0.99 - 0.89 * share;
}
