import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as electron from 'electron';
import { runApp } from './run-app.ts';

/** The desktop app's entry: dist/app/main.js, in the archive of an installed one. */
const dist = join(dirname(fileURLToPath(import.meta.url)), '..');
const { app } = electron;
await runApp({
  electron,
  places: { dist, resources: app.isPackaged ? process.resourcesPath : null },
  words: process.argv.slice(app.isPackaged ? 1 : 2),
  env: process.env,
  platform: process.platform,
});
