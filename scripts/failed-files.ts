import { rmSync, writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import type { Reporter, SerializedError, TestModule } from 'vitest/node';

const place = '.cache/test/failed-files.txt';

/**
 * A reporter of vitest's: writes the files that failed, one a line. It writes none where something else went wrong,
 * too: an error that no test caught is not made good by running a file once more.
 */
// biome-ignore lint/style/noDefaultExport: vitest finds a reporter by it
export default class FailedFiles implements Reporter {
  onTestRunStart(): void {
    rmSync(place, { force: true });
  }

  onTestRunEnd(files: readonly TestModule[], errors: readonly SerializedError[]): void {
    const failed = files
      .filter((file) => !file.ok())
      .map((file) => `${relative(process.cwd(), file.moduleId)}\n`);
    if (errors.length === 0) {
      writeFileSync(place, failed.join(''));
    }
  }
}
