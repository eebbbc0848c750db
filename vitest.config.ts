import { randomInt } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { configDefaults, defineConfig } from 'vitest/config';

const sources = ['app', 'main', 'renderer'];
const beside = (ends: string) =>
  sources.flatMap((folder) => [`${folder}/**/*${ends}.ts`, `${folder}/**/*${ends}.tsx`]);
const serial = 'test/**/*.serial.test.ts';

/** Chooses what a short form tries (test/support/long.ts). Set it to try the same again. */
process.env['LANYARD_SEED'] ??= String(randomInt(1_000_000));

export default defineConfig({
  test: {
    // Limits only end what hangs: a busy machine takes its time.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 30_000 } },
    // A file leaves nothing to the next one of its process.
    restoreMocks: true,
    unstubEnvs: true,
    // One project after the other.
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
          maxWorkers: availableParallelism(),
          sequence: { groupOrder: 0 },
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
            serial,
            ...(process.env['LANYARD_E2E'] === 'electron' ? [] : ['test/electron/**']),
          ],
          // Most of their time they wait: for a token's end, a poll, a process.
          maxWorkers: 3 * availableParallelism(),
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: {
          name: 'one at a time',
          include: [serial],
          maxWorkers: 1,
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
});
