import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

interface Entry {
  integrity?: string;
  resolved?: string;
  link?: true;
  dev?: true;
  optional?: true;
}

const { packages } = JSON.parse(
  readFileSync(join(import.meta.dirname, '..', 'package-lock.json'), 'utf8'),
) as { packages: Record<string, Entry> };
/** All but the project itself. */
const entries = Object.entries(packages).filter(([path]) => path !== '');

/**
 * Biome's programs for systems that the lock file was not made on: the registry it was made from doesn't have them, so that
 * their digests aren't known. Only who develops there gets them.
 */
const unknown = /^node_modules\/@biomejs\/cli-(android|darwin|win32|linux-\w+-musl)/;

test('each package is pinned to its bytes: npm takes any for one without a digest', () => {
  const unpinned = entries.filter(([, { integrity }]) => !/^sha512-/.test(integrity ?? ''));
  expect(unpinned.flatMap(([path]) => (unknown.test(path) ? [] : [path]))).toEqual([]);
  expect(unpinned.filter(([, { dev, optional }]) => !dev || !optional)).toEqual([]);
});

test('none names a host: each comes from the registry of whoever installs', () => {
  expect(entries.flatMap(([path, { resolved, link }]) => (resolved || link ? [path] : []))).toEqual([]);
});
