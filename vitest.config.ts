import { randomInt } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { configDefaults, defineConfig } from 'vitest/config';

const sources = ['app', 'main', 'renderer'];
const beside = (ends: string) =>
  sources.flatMap((folder) => [`${folder}/**/*${ends}.ts`, `${folder}/**/*${ends}.tsx`]);
const pages = 'test/e2e/*.test.ts';
/** Most of their time they wait: for a token's end, a poll, a process. */
const workersThatWait = 3 * availableParallelism();

/** Chooses what a short form tries (test/support/long.ts). Set it to try the same again. */
process.env['LANYARD_SEED'] ??= String(randomInt(1_000_000));

export default defineConfig({
  test: {
    // Limits only end what hangs: a busy machine takes its time.
    testTimeout: 300_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: 60_000 } },
    // A file leaves nothing to the next one of its process.
    restoreMocks: true,
    unstubEnvs: true,
    // One group after the other.
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: beside('.test'),
          exclude: [...configDefaults.exclude, ...beside('.real.test')],
          // Fails a test that starts a process, opens a port or stretches a key: its file is x.real.test.ts.
          setupFiles: ['test/support/only-in-process.ts'],
          // A process takes many files: to start one for each took longer than their tests.
          isolate: false,
          // Nothing in it waits for another program.
          testTimeout: 60_000,
          maxWorkers: availableParallelism(),
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: {
          name: 'page',
          include: [pages],
          setupFiles: ['test/e2e/support/end-contexts.ts'],
          // The files of a process share one Chromium, and what they import.
          isolate: false,
          // The long form looks at each screen in all sizes and themes, one after the other.
          testTimeout: process.env['LANYARD_LONG'] === '1' ? 900_000 : 300_000,
          maxWorkers: workersThatWait,
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: {
          name: 'real parts',
          include: ['test/**/*.test.ts', ...beside('.real.test')],
          // Those need Electron itself: npm run test:electron says whether it is here.
          exclude: [
            ...configDefaults.exclude,
            pages,
            ...(process.env['LANYARD_E2E'] === 'electron' ? [] : ['test/electron/**']),
          ],
          isolate: false,
          maxWorkers: workersThatWait,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
