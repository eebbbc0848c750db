import { expect } from 'vitest';
import type { Directory } from '../../ports/broker-core.ts';

/** A directory without registries and without anything pending, for the doors of Kubernetes clients. */
export function aDirectory(
  more: Pick<Directory, 'account' | 'cluster' | 'clusters'> & Partial<Directory>,
): Directory {
  return {
    pendingClusters: () => [],
    serverRewrites: () => [],
    registry: () => expect.unreachable(),
    registries: () => [],
    registryPatterns: () => expect.unreachable(),
    fallbackHelper: () => null,
    registryFor: () => expect.unreachable(),
    ...more,
  };
}
