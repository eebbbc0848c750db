import { configDefaults, defineConfig } from 'vitest/config';
import { mockingFiles } from './test/support/mocking-files.ts';

/** Files of these folders are `unit`, those of `test` are `real parts`. */
const sources = ['app', 'main', 'renderer'];

const mocking = mockingFiles(import.meta.dirname, sources);

export default defineConfig({
  test: {
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // A busy machine takes its time; what never comes still fails.
    expect: { poll: { timeout: 20_000 } },
    // Twice as many as two cores have: most of the time goes into waiting, for a token's end, a poll, a process.
    maxWorkers: 4,
    // One after the other by name, each with its longest files first, as far as an earlier run has measured them: the
    // many short ones of `unit` come last, and keep all workers busy to the end.
    projects: [
      {
        extends: true,
        test: {
          name: 'real parts',
          include: ['test/**/*.test.ts', ...mocking],
          // Those need Electron itself: npm run test:electron says whether it is here.
          exclude: [
            ...configDefaults.exclude,
            ...(process.env['LANYARD_E2E'] === 'electron' ? [] : ['test/electron/**']),
          ],
        },
      },
      {
        extends: true,
        test: {
          name: 'unit',
          include: sources.flatMap((folder) => [`${folder}/**/*.test.ts`, `${folder}/**/*.test.tsx`]),
          exclude: [...configDefaults.exclude, ...mocking],
          // A process takes many files: to start one for each took longer than their tests.
          isolate: false,
          // Nor does a file leave anything to the next one.
          restoreMocks: true,
          unstubEnvs: true,
        },
      },
    ],
  },
});
