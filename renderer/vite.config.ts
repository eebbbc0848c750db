import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import packageJson from '../package.json' with { type: 'json' };
import { neededBy } from './needed-by.ts';
import { preloadPage } from './preload-page.ts';
import { withoutDescriptions } from './without-descriptions.ts';
import { withoutJsonSchema } from './without-json-schema.ts';

const root = fileURLToPath(new URL('.', import.meta.url));
/** The folders that the page imports from. */
const contract = fileURLToPath(new URL('../main/contract', import.meta.url));
const packages = fileURLToPath(new URL('../node_modules', import.meta.url));

const isNeededFirst = neededBy(fileURLToPath(new URL('index.html', import.meta.url)));
const page = fileURLToPath(new URL('page.tsx', import.meta.url));

/** Builds the page as files without inline scripts and styles: the broker serves them under a strict CSP. */
export default defineConfig({
  root,
  base: './',
  plugins: [react(), preloadPage('page'), withoutJsonSchema(), withoutDescriptions()],
  // The page compares it with the broker's version: older pages stay open after an update.
  define: { __LANYARD_VERSION__: JSON.stringify(packageJson.version) },
  // Vite would serve the complete repository to each page of this machine, even the development home in .cache.
  server: { cors: false, fs: { strict: true, allow: [root, contract, packages] } },
  build: {
    outDir: fileURLToPath(new URL('../dist/renderer', import.meta.url)),
    emptyOutDir: true,
    target: 'chrome138',
    modulePreload: { polyfill: false },
    // No data: URLs.
    assetsInlineLimit: 0,
    license: { fileName: 'licenses.json' },
    rolldownOptions: {
      // page.tsx, which main.ts imports later, is an entry, too: only then the bundler knows what loads with it.
      input: [fileURLToPath(new URL('index.html', import.meta.url)), page],
      // What loads together is one file: apart, each of its small parts is compressed alone, and named in all others.
      output: {
        codeSplitting: {
          groups: [
            {
              name: (id, modules) => (isNeededFirst(id, modules) ? 'index' : null),
              debugName: 'index',
              priority: 1,
            },
            { name: 'page', tags: ['$initial'] },
          ],
        },
      },
    },
  },
});
