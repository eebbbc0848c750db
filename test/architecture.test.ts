import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '..');
/** Where a path in the text may begin: whole, or as its section shortens it. */
const starts = ['', 'main', 'native-helper', 'renderer', 'app'];

test('every path that ARCHITECTURE.md names in its layout is there', () => {
  const text = readFileSync(join(root, 'docs', 'ARCHITECTURE.md'), 'utf8');
  const layout = text.slice(text.indexOf('## Layout'), text.indexOf('## Data at rest'));
  const named = [...layout.matchAll(/`([a-z][\w-]*(?:\/[\w.-]+)+)`/g)].map(([, path = '']) => path);
  expect(named.length).toBeGreaterThan(50);
  // AREA stands for a name.
  const missing = named.filter(
    (path) => !path.includes('AREA') && !starts.some((start) => existsSync(join(root, start, path))),
  );
  expect(missing).toEqual([]);
});
