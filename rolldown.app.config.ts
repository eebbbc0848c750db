import { readFileSync } from 'node:fs';
import { defineConfig } from 'rolldown';

/** The desktop app's own code in two files: it loads at each start, and is all that the archive holds of it. */
export default defineConfig([
  {
    input: { main: 'app/main.ts' },
    platform: 'node',
    external: ['electron', 'keytar'],
    output: { dir: 'dist/app', format: 'esm', minify: false, cleanDir: true, codeSplitting: true },
    plugins: [
      {
        name: 'manual-page',
        generateBundle() {
          const source = readFileSync(new URL('docs/lanyard.1', import.meta.url));
          this.emitFile({ type: 'asset', fileName: 'lanyard.1', source });
        },
      },
    ],
  },
  {
    // Sandboxed preloads are no modules.
    input: { preload: 'app/preload/preload.ts' },
    platform: 'node',
    external: ['electron'],
    output: { dir: 'dist/app', format: 'cjs', entryFileNames: '[name].cjs', minify: false },
  },
]);
