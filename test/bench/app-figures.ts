import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { standInFlags, startApp } from '../support/electron/program.ts';
import { makeHome } from '../support/home.ts';
import { baseEnvironment } from '../support/processes.ts';
import type { Figures } from './figure.ts';
import { median } from './statistics.ts';

const entry = join(import.meta.dirname, '..', '..', 'dist', 'app', 'main.js');

/** The desktop app's own code under Node, on the stand-in for Electron: what Electron itself takes comes on top. */
export async function* appFigures({ rounds }: { rounds: number }): Figures {
  const ready: number[] = [];
  const loads: number[] = [];
  const node: number[] = [];
  for (let round = 0; round < rounds; round++) {
    ready.push(await timeStart());
    loads.push(await timeLoad());
    node.push(await timeNode());
  }
  const bare = { what: 'node -e 0', value: median(node) };
  yield {
    what: 'app, process start to broker ready, on the stand-in: median',
    value: median(ready),
    unit: 'ms',
    reference: bare,
    limit: { kind: 'atMost', value: 1000 },
  };
  yield {
    what: 'app, its bundle loads: median',
    value: median(loads),
    unit: 'ms',
    reference: bare,
    limit: { kind: 'atMost', value: 300 },
  };
}

/** From the process's start until the app says that it is there; in a new home, so the first start of all. */
async function timeStart(): Promise<number> {
  const home = makeHome();
  try {
    const began = performance.now();
    const app = await startApp({ home });
    const took = performance.now() - began;
    await app.dispose();
    return took;
  } finally {
    home.dispose();
  }
}

/** Reading, compiling and evaluating the bundle, by the program's own clock; it ends as a second instance does. */
async function timeLoad(): Promise<number> {
  const code = `
    import { app } from 'electron';
    app.requestSingleInstanceLock = () => false;
    const began = performance.now();
    await import(process.env.LOADED_ENTRY);
    process.stdout.write(String(performance.now() - began));
  `;
  const words = [...standInFlags, '--input-type=module', '-e', code];
  const home = makeHome();
  try {
    return Number(await output(words, { ...home.env, LOADED_ENTRY: entry }));
  } finally {
    home.dispose();
  }
}

async function timeNode(): Promise<number> {
  const began = performance.now();
  await output(['-e', '0'], {});
  return performance.now() - began;
}

function output(args: readonly string[], env: Record<string, string>): Promise<string> {
  const child = spawn(process.execPath, args, {
    env: { ...baseEnvironment(), ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let text = '';
  child.stdout.on('data', (data: Buffer) => {
    text += data.toString();
  });
  return new Promise((resolve) => child.once('close', () => resolve(text)));
}
