import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { createStandIn, type StandIn } from './stand-in.ts';

/** What `import … from 'electron'` finds in a program that runs on the stand-in (register.ts). */
const standIn = createStandIn();
export const {
  app,
  autoUpdater,
  BrowserWindow,
  Menu,
  Notification,
  Tray,
  dialog,
  ipcMain,
  nativeImage,
  nativeTheme,
  net,
  powerMonitor,
  protocol,
  session,
  shell,
  systemPreferences,
} = standIn.electron;

standIn.app.isPackaged = process.env['STAND_IN_PACKAGED'] === '1';
if (process.env['STAND_IN_RESOURCES']) {
  Object.assign(process, { resourcesPath: process.env['STAND_IN_RESOURCES'] });
}
if (standIn.app.isPackaged) {
  // An installed app's first word is the person's; under Node the entry stands before it.
  process.argv.splice(1, 1);
}
// As Electron: `exit` ends the process, whatever still listens. A moment later, so that a test that asked for it is answered.
void standIn.app.ended.promise.then((code) => setTimeout(() => process.exit(code), 20));

const control = process.env['STAND_IN_CONTROL'];
if (control) {
  serve(control, standIn);
  standIn.app.requestSingleInstanceLock = (data = {}) => {
    standIn.app.isFirst = !handOver(standIn, control, data);
    return standIn.app.isFirst;
  };
}

/** Lets a test run functions beside the stand-in, as Playwright's `evaluate` does: a line for each, a line back. */
function serve(path: string, it: StandIn): void {
  const server = createServer((socket) => {
    createInterface({ input: socket }).on('line', (line) => {
      void answer(line, it).then((text) => socket.write(`${text}\n`));
    });
    socket.on('error', () => undefined);
    socket.unref();
  });
  server.listen(path);
  server.unref();
}

/**
 * One program for each folder of Chromium's own files, as with Electron: true where another one has it, which then was told
 * of this start. One that was killed has left its note, and nobody who answers.
 */
function handOver({ app }: StandIn, own: string, data: Record<string, unknown>): boolean {
  const note = join(app.paths.get('userData') ?? '', 'stand-in');
  const source = String((first: StandIn, given: unknown) => {
    first.app.happen('second-instance', [], '/', given);
  });
  try {
    const line = JSON.stringify({ source, argument: data });
    const tell = `require('node:net').connect(${JSON.stringify(readFileSync(note, 'utf8'))}).end(${JSON.stringify(`${line}\n`)}).resume().on('error', () => process.exit(1))`;
    if (spawnSync(process.execPath, ['-e', tell], { env: {} }).status === 0) {
      return true;
    }
  } catch {
    // Nobody was here before.
  }
  writeFileSync(note, own);
  return false;
}

async function answer(line: string, it: StandIn): Promise<string> {
  try {
    const { source, argument } = JSON.parse(line) as { source: string; argument: unknown };
    const run = new Function(`return (${source})`)() as (standIn: StandIn, argument: unknown) => unknown;
    return JSON.stringify({ value: (await run(it, argument)) ?? null });
  } catch (error) {
    return JSON.stringify({ error: String(error) });
  }
}
