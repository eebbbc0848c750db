import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach } from 'vitest';

/** A folder of its own for each test of a file, removed after it. */
export function temporaryFolder(): () => string {
  let folder = '';
  beforeEach(() => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'ly-')));
  });
  // A program that ends may still write its last words.
  afterEach(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  return () => folder;
}
