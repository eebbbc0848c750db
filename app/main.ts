import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as electron from 'electron';
import { readArguments } from './arguments.ts';
import { runHeadless } from './headless.ts';
import { leave } from './life/uninstalled.ts';
import { clearOwnEnvironment } from './own-environment.ts';
import { runApp } from './run-app.ts';
import { keepHeapSmall } from './small-heap.ts';

/** The desktop app's entry: dist/app/main.js, in the archive of an installed app. */
const dist = join(dirname(fileURLToPath(import.meta.url)), '..');
const { app } = electron;
const places = { dist, resources: app.isPackaged ? process.resourcesPath : null };
const { env, platform } = process;
clearOwnEnvironment(env);
keepHeapSmall();
const words = process.argv.slice(app.isPackaged ? 1 : 2);

const start = readArguments(words);
if (start.kind === 'headless') {
  await runHeadless({ app, places, args: start.args, env, platform });
} else if (start.kind === 'leave') {
  await leave(places, env, platform);
} else {
  // Not awaited: Electron becomes ready only after this module was evaluated, and the app waits for that
  // (electron/electron#40719).
  void runApp({ electron, places, start, env, platform });
}
