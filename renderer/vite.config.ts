import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import packageJson from '../package.json' with { type: 'json' };
import { withoutJsonSchema } from './without-json-schema.ts';

const root = fileURLToPath(new URL('.', import.meta.url));
/** What the page imports. */
const contract = fileURLToPath(new URL('../main/contract', import.meta.url));
const packages = fileURLToPath(new URL('../node_modules', import.meta.url));

/** The page in files that need no inline script and no inline style: the broker serves them under a strict CSP. */
export default defineConfig({
  root,
  base: './',
  plugins: [react(), withoutJsonSchema()],
  // What the page compares with the broker's: an update leaves pages open that are older.
  define: { __LANYARD_VERSION__: JSON.stringify(packageJson.version) },
  // Vite would serve the whole repository, to each page of this machine: also the development home in .cache.
  server: { cors: false, fs: { strict: true, allow: [root, contract, packages] } },
  build: {
    outDir: fileURLToPath(new URL('../dist/renderer', import.meta.url)),
    emptyOutDir: true,
    target: 'chrome138',
    modulePreload: { polyfill: false },
    // Nothing as data: URLs.
    assetsInlineLimit: 0,
    // Which part needs which: test/integration/renderer-size.test.ts weighs what the first view loads.
    manifest: 'parts.json',
    license: { fileName: 'licenses.json' },
  },
});
