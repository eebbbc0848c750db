import type { ConfiguredKind } from '../../contract/config/config.ts';
import type { Loaded } from '../loaded-config.ts';
import { accountShape, clusterShape } from './cluster-shape.ts';
import { inventoryShape } from './inventory-shape.ts';
import { narrowedAccount, narrowedCluster, narrowedInventory, narrowedRegistry } from './narrowing.ts';
import { registryShape } from './registry-shape.ts';

/** What is special to the approval of one kind of entry (rule: confirmed-binding). */
export interface KindRules<Kind extends ConfiguredKind> {
  /** All of it that needs approval, as one text. */
  shape(loaded: Loaded<Kind>): string;
  /** The approved form with what the pending one takes away. */
  narrowed(approved: Loaded<Kind>, pending: Loaded<Kind>): Loaded<Kind>;
}

export const kindRules: { [Kind in ConfiguredKind]: KindRules<Kind> } = {
  account: { shape: accountShape, narrowed: narrowedAccount },
  cluster: { shape: clusterShape, narrowed: narrowedCluster },
  registry: { shape: registryShape, narrowed: narrowedRegistry },
  inventory: { shape: inventoryShape, narrowed: narrowedInventory },
};

/** Where shapes come from. */
export type ShapeOf = <Kind extends ConfiguredKind>(kind: Kind, loaded: Loaded<Kind>) => string;

export const shapeOfKind: ShapeOf = (kind, loaded) => kindRules[kind].shape(loaded);

/** Caches the shape of each entry as long as its object lives. */
export function createKeptShapes(): ShapeOf {
  const kept = new WeakMap<object, string>();
  return (kind, loaded) => {
    const shape = kept.get(loaded) ?? shapeOfKind(kind, loaded);
    kept.set(loaded, shape);
    return shape;
  };
}
