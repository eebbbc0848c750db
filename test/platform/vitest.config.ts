import { fileURLToPath } from 'node:url';
import { configDefaults, defineConfig } from 'vitest/config';
import { windowsSuites } from './windows-suites.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const own = process.platform === 'win32' ? windowsSuites : [];
/** Of the broker’s own, those that Windows has, too: not its providers and tokens. */
const withRealParts = [
  'main/!(accounts)/**/*.real.test.ts',
  'main/accounts/*.real.test.ts',
  'main/accounts/aws/*.real.test.ts',
];

/**
 * What `npm run test:windows` runs in Node.js for Windows, and `npm run try` on whatever machine it is. In threads: wine 8
 * loses the channel to a child process.
 */
export default defineConfig({
  test: {
    root,
    // wine names itself by its own variable.
    setupFiles: process.env['WINEPREFIX'] === undefined ? [] : ['scripts/windows/wine-sockets.mjs'],
    pool: 'threads',
    maxWorkers: 2,
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 20_000 } },
    restoreMocks: true,
    unstubEnvs: true,
    projects: [
      {
        extends: true,
        test: {
          name: 'real parts',
          include: [
            'test/platform/**/*.test.ts',
            'test/electron/pinned.test.ts',
            ...(own.length === 0 ? [] : withRealParts),
          ],
        },
      },
      {
        extends: true,
        // As in the ordinary suite: a worker takes many files, which leave nothing to each other.
        test: {
          ...{ name: 'unit', include: [...own], isolate: false },
          exclude: [...configDefaults.exclude, '**/*.real.test.ts'],
        },
      },
    ],
  },
});
