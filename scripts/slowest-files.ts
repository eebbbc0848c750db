import { relative } from 'node:path';
import type { Reporter, TestModule } from 'vitest/node';

/** How many files are named. */
const count = 12;

/** A reporter of vitest's: at the end, the files that took longest, with what they set up, in whole seconds. */
// biome-ignore lint/style/noDefaultExport: vitest finds a reporter by it
export default class SlowestFiles implements Reporter {
  onTestRunEnd(files: readonly TestModule[]): void {
    const took = files
      .map((file) => {
        const { collectDuration, duration } = file.diagnostic();
        return { name: relative(process.cwd(), file.moduleId), seconds: (collectDuration + duration) / 1000 };
      })
      .sort((a, b) => b.seconds - a.seconds)
      .slice(0, count);
    const lines = took.map(({ name, seconds }) => `${Math.round(seconds).toString().padStart(5)} s  ${name}`);
    console.log(`\nThe slowest files:\n${lines.join('\n')}`);
  }
}
