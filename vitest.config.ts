import { configDefaults, defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: [
      'app/**/*.test.ts',
      'main/**/*.test.ts',
      'renderer/**/*.test.ts',
      'renderer/**/*.test.tsx',
      'test/**/*.test.ts',
    ],
    // Those need Electron itself: npm run test:electron says whether it is here.
    exclude: [
      ...configDefaults.exclude,
      ...(process.env['LANYARD_E2E'] === 'electron' ? [] : ['test/electron/**']),
    ],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // A busy machine takes its time; what never comes still fails.
    expect: { poll: { timeout: 20_000 } },
    // Two workers: integration tests start whole process trees of their own.
    maxWorkers: 2,
  },
});
