import { registryShape } from '../approval/registry-shape.ts';
import type { LoadedRegistry } from '../loaded-config.ts';
import type { Target, TargetName } from './target.ts';

export const registryKind = 'registry';

export function registryName(name: string): TargetName {
  return { kind: registryKind, name };
}

/** The registry’s name; null: the target is of another kind, or there is none. */
export function registryOf(target: TargetName | null): string | null {
  return target?.kind === registryKind ? target.name : null;
}

export interface RegistryTarget extends Target {
  readonly registry: LoadedRegistry;
}

const made = new WeakMap<LoadedRegistry, RegistryTarget>();

/** A registry of config.yaml as a target: the same object for the same registry, so that its shape is made once. */
export function registryTarget(registry: LoadedRegistry): RegistryTarget {
  const known = made.get(registry);
  if (known) {
    return known;
  }
  let shape: string | null = null;
  const { config } = registry;
  const target: RegistryTarget = {
    kind: registryKind,
    name: registry.name,
    account: config.account,
    audience: config.audience ?? null,
    get shape() {
      shape ??= registryShape(registry);
      return shape;
    },
    approval: config.approval,
    address: config.matchImages.join(' '),
    cluster: null,
    registry,
  };
  made.set(registry, target);
  return target;
}
