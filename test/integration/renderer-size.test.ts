import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';

/** What the built page weighs, gzipped: `npm run build:renderer` makes it. */
const folder = join(import.meta.dirname, '..', '..', 'dist', 'renderer');
const kilobyte = 1024;

interface Part {
  file: string;
  css?: string[];
  imports?: string[];
}

const gzipped = (file: string) => gzipSync(readFileSync(join(folder, file)), { level: 9 }).length;

function parts(): Record<string, Part> {
  return JSON.parse(readFileSync(join(folder, 'parts.json'), 'utf8'));
}

/** The files of a part and of all that it needs at once. */
function filesOf(names: readonly string[]): Set<string> {
  const [all, files, seen] = [parts(), new Set<string>(), new Set<string>()];
  const visit = (name: string) => {
    const part = all[name];
    if (part === undefined) {
      throw new Error(`the page has no part ${name}: npm run build:renderer`);
    }
    if (!seen.has(name)) {
      seen.add(name);
      files.add(part.file);
      part.css?.forEach((file) => void files.add(file));
      part.imports?.forEach(visit);
    }
  };
  names.forEach(visit);
  return files;
}

const weight = (files: Iterable<string>) => [...files].reduce((sum, file) => sum + gzipped(file), 0);

test('all of the page is at most 350 KB', () => {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) =>
    /\.(js|css|html|svg)$/.test(file),
  );
  const total = weight(files);
  console.log(`renderer: ${(total / kilobyte).toFixed(1)} KB gzipped in all`);
  expect(total).toBeLessThanOrEqual(350 * kilobyte);
});

test('what loads for the list of clusters is at most 150 KB', () => {
  const files = filesOf(['index.html', 'features/clusters/index.tsx']);
  const total = weight(files);
  console.log(`renderer: ${(total / kilobyte).toFixed(1)} KB gzipped for the first view`);
  expect(total).toBeLessThanOrEqual(150 * kilobyte);
});
