import { readFileSync } from 'node:fs';
import { defineConfig } from 'rolldown';

/** The broker in one file: it starts faster than from hundreds of modules. Native parts stay outside. */
export default defineConfig({
  input: { agent: 'main/start/agent.ts' },
  platform: 'node',
  external: ['keytar'],
  output: { dir: 'dist/main', format: 'esm', minify: false, cleanDir: true, codeSplitting: true },
  plugins: [
    {
      name: 'manual-page',
      generateBundle() {
        const source = readFileSync(new URL('docs/lanyard.1', import.meta.url));
        this.emitFile({ type: 'asset', fileName: 'lanyard.1', source });
      },
    },
  ],
});
