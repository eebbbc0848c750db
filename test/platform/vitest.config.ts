import { configDefaults, defineConfig } from 'vitest/config';
import { unixSuites, windowsSuites } from './windows-suites.ts';

/**
 * What `npm run test:windows` runs in Node.js for Windows, and `npm run try` on whatever machine it is. In threads: wine 8
 * loses the channel to a child process.
 */
export default defineConfig({
  test: {
    root: new URL('../..', import.meta.url).pathname.replace(/^\/(?=[A-Z]:)/, ''),
    include: ['test/platform/**/*.test.ts', ...(process.platform === 'win32' ? windowsSuites : [])],
    exclude: [...configDefaults.exclude, ...unixSuites],
    // wine names itself by its own variable.
    setupFiles: process.env['WINEPREFIX'] === undefined ? [] : ['scripts/windows/wine-sockets.mjs'],
    pool: 'threads',
    maxWorkers: 2,
    testTimeout: 120_000,
    hookTimeout: 120_000,
    restoreMocks: true,
    unstubEnvs: true,
  },
});
