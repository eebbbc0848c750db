import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, onTestFinished } from 'vitest';

/** A folder of its own for each test of a file, removed after it. */
export function temporaryFolder(): () => string {
  let folder = '';
  beforeEach(() => {
    folder = folderForTest();
  });
  return () => folder;
}

/** A new folder for the test that runs, also from its `beforeEach`. It goes once the test’s `afterEach` have run. */
export function folderForTest(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'ly-')));
  // A program that ends may still write its last words.
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  return folder;
}
