import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildGo, findGo } from '../go.ts';
import type { Kubectl } from '../kubectl.ts';

const module = import.meta.dirname;

const [, minor] = /k8s\.io\/kubectl v0\.(\d+)/.exec(readFileSync(join(module, 'go.mod'), 'utf8')) ?? [];

/** The kubectl of the version that go.mod here names; there once `buildKubectl` has built it. */
export const builtKubectl: Kubectl = {
  version: `1.${minor}`,
  path: join(module, '..', '..', '..', '.cache', 'go', 'kubectl'),
};

/** 2 min the first time. */
export async function buildKubectl(): Promise<void> {
  const go = findGo();
  if (!go.ok) {
    throw new Error(go.why);
  }
  await buildGo(go.path, 'kubectl', { module, program: '.' });
}
