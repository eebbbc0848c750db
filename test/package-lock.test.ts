import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

interface Entry {
  integrity?: string;
  resolved?: string;
  link?: true;
}

const { packages } = JSON.parse(
  readFileSync(join(import.meta.dirname, '..', 'package-lock.json'), 'utf8'),
) as { packages: Record<string, Entry> };
/** All but the project itself. */
const entries = Object.entries(packages).filter(([path]) => path !== '');

test('each package is pinned to its bytes: npm takes any for one without a digest', () => {
  const unpinned = entries.filter(([, { integrity }]) => !/^sha512-/.test(integrity ?? ''));
  expect(unpinned.map(([path]) => path)).toEqual([]);
});

test('none names a host: each comes from the registry of the machine', () => {
  expect(entries.flatMap(([path, { resolved, link }]) => (resolved || link ? [path] : []))).toEqual([]);
});
