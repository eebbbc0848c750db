import { readdirSync, readFileSync } from 'node:fs';
import { defineConfig } from 'rolldown';
import { packagesOf } from './scripts/package/licences-of-bundle.ts';
import { releaseFrom } from './scripts/release-from.ts';

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
      {
        name: 'pictures',
        generateBundle() {
          const folder = new URL('app/icons/', import.meta.url);
          const emit = (name: string, file: string) => {
            const source = readFileSync(new URL(file, folder));
            this.emitFile({ type: 'asset', fileName: `icons/${name}`, source });
          };
          for (const name of readdirSync(new URL('tray', folder))) {
            emit(name, `tray/${name}`);
          }
          emit('window.png', 'linux/256x256.png');
        },
      },
      {
        // What the bundle holds of others, as vite lists it for the pages: for the notices and the SBOM.
        name: 'licences',
        generateBundle(_options, bundle) {
          const modules = Object.values(bundle).flatMap((each) =>
            each.type === 'chunk' ? each.moduleIds : [],
          );
          const source = `${JSON.stringify(packagesOf(modules), null, 2)}\n`;
          this.emitFile({ type: 'asset', fileName: 'licenses.json', source });
        },
      },
      {
        // What this build knows of newer ones; nothing, unless it is told.
        name: 'release',
        generateBundle() {
          const source = releaseFrom(process.env);
          if (source !== null) {
            this.emitFile({ type: 'asset', fileName: 'release.json', source });
          }
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
