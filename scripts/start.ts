import { spawn, spawnSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { appEnvironment } from '../app/own-environment.ts';
import { fetchElectronBinary } from './fetch-electron-binary.ts';
import { findElectron } from './find-electron.ts';

/**
 * `npm start`: the app, from what was built here. Where Electron's binary can't be had, `lanyard agent` with `lanyard ui`
 * are offered; `npm start -- --agent` starts those at once, as root on Linux does. Other words go to the app.
 */
const root = dirname(dirname(fileURLToPath(import.meta.url)));
const helper = join(root, 'dist', 'bin', process.platform === 'win32' ? 'lanyard.exe' : 'lanyard');
const limitMilliseconds = 180_000;
const startMilliseconds = 20_000;
const unreachable = 17;

const words = process.argv.slice(2);
// Ctrl-C is the child's: it ends in its own time, and this with it.
process.on('SIGINT', () => undefined);
const hasNoWindow = process.platform === 'linux' && process.getuid?.() === 0;
if (hasNoWindow && !words.includes('--agent')) {
  console.log('The desktop app doesn’t run as root: Chromium has no sandbox there. The same in a browser:');
}
process.exit(hasNoWindow || words.includes('--agent') ? await runAgent() : await runApp());

async function runApp(): Promise<number> {
  const found = await electronBinary();
  if (found.ok) {
    const env = appEnvironment(process.env);
    return ended(spawn(found.program, [root, ...words], { stdio: 'inherit', env }));
  }
  console.error(
    `Electron’s binary can’t be had (${found.why}). The same in a browser: npm start -- --agent (dist/bin/lanyard agent, and dist/bin/lanyard ui beside it).`,
  );
  return (await wanted('Start that now? [Y/n] ')) ? runAgent() : 1;
}

async function electronBinary(): Promise<{ ok: true; program: string } | { ok: false; why: string }> {
  const program = findElectron(root, process.env);
  if (program !== null) {
    return { ok: true, program };
  }
  if (process.env['ELECTRON_OVERRIDE_DIST_PATH']) {
    return { ok: false, why: 'ELECTRON_OVERRIDE_DIST_PATH names a folder without it' };
  }
  console.log(
    `Fetching Electron’s binary, once (about 110 MB, ${limitMilliseconds / 60_000} minutes at most) …`,
  );
  const why = await fetchElectronBinary(root, process.env, limitMilliseconds);
  const fetched = findElectron(root, process.env);
  return fetched === null
    ? { ok: false, why: why ?? 'its install left none' }
    : { ok: true, program: fetched };
}

/** The broker in the foreground, and its page in the browser. */
async function runAgent(): Promise<number> {
  const agent = spawn(helper, ['agent'], { stdio: 'inherit' });
  let isOver = false;
  const end = ended(agent).finally(() => {
    isOver = true;
  });
  // Until it answers; one that runs already makes this one end at once, and is as good.
  for (let waited = 0; !isReached() && !isOver && waited < startMilliseconds; waited += 200) {
    await delay(200);
  }
  if (isReached()) {
    spawnSync(helper, ['ui'], { stdio: 'inherit', env: { ...process.env, LANYARD_NO_START: '1' } });
  }
  return end;
}

function isReached(): boolean {
  const env = { ...process.env, LANYARD_NO_START: '1' };
  return spawnSync(helper, ['status'], { stdio: 'ignore', env }).status !== unreachable;
}

async function wanted(question: string): Promise<boolean> {
  if (!process.stdin.isTTY || !process.stdout.isTTY) {
    return false;
  }
  const asking = createInterface({ input: process.stdin, output: process.stdout });
  const left = new Promise<string>((resolve) => asking.on('close', () => resolve('n')));
  const answer = await Promise.race([asking.question(question), left]);
  asking.close();
  return /^\s*(y(es)?)?\s*$/i.test(answer);
}

function ended(child: ReturnType<typeof spawn>): Promise<number> {
  return new Promise((resolve) => {
    child.on('error', (error) => {
      console.error(`${child.spawnfile}: ${error.message}`);
      resolve(1);
    });
    child.on('close', (code) => resolve(code ?? 1));
  });
}
