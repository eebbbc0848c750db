import { randomUUID } from 'node:crypto';
import { connect } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import { assertBuilt } from '../built.ts';
import type { TestHome } from '../home.ts';
import { type Ended, type Running, start } from '../processes.ts';
import type { StandIn } from './stand-in.ts';

const repository = join(import.meta.dirname, '..', '..', '..');

/** Given to Node before the app's entry: `electron` is then the stand-in. */
export const standInFlags: readonly string[] = [
  '--no-warnings',
  '--import',
  pathToFileURL(join(import.meta.dirname, 'register.ts')).href,
];

export interface AppProgramOptions {
  home: TestHome;
  /** After the program's name; `--hidden` unless told otherwise. */
  words?: readonly string[];
  env?: Readonly<Record<string, string>>;
  /** `dist/app/main.js` unless told otherwise. */
  entry?: string;
  /** Electron's `resources` of an installed app: `app.isPackaged` is true then. */
  resources?: string;
  /** Waits until its log says `app.ready`, unless false. */
  ready?: boolean;
}

/** The app's built code as a program, under this Node on the stand-in. */
export interface AppProgram {
  readonly running: Running;
  readonly ended: Promise<Ended>;
  /** Runs a function beside the stand-in, in the app's process; it knows nothing of what is around it here. */
  evaluate<Result, Argument = undefined>(
    run: (standIn: StandIn, argument: Argument) => Result | Promise<Result>,
    argument?: Argument,
  ): Promise<Result>;
  dispose(): Promise<void>;
}

/** Starts the app. Throws with its output where it doesn't get ready. */
export async function startApp({
  home,
  words = ['--hidden'],
  env = {},
  entry = join(repository, 'dist', 'app', 'main.js'),
  resources,
  ready = true,
}: AppProgramOptions): Promise<AppProgram> {
  assertBuilt();
  const control = join(home.outside, `c-${randomUUID().slice(0, 8)}`);
  const running = start(process.execPath, [...standInFlags, entry, ...words], {
    env: {
      ...home.env,
      STAND_IN_CONTROL: control,
      ...(resources !== undefined && { STAND_IN_PACKAGED: '1', STAND_IN_RESOURCES: resources }),
      ...env,
    },
  });
  running.closeInput();
  if (ready) {
    try {
      await running.waitForLine(/"app\.ready"/, 20_000);
    } catch (error) {
      await running.dispose();
      throw error;
    }
  }
  return {
    running,
    ended: running.ended,
    evaluate: (run, argument) => ask(control, String(run), argument),
    dispose: () => running.dispose(),
  };
}

function ask<Result>(control: string, source: string, argument: unknown): Promise<Result> {
  return new Promise((resolve, reject) => {
    const socket = connect(control);
    socket.on('error', reject);
    socket.on('close', () => reject(new Error('the app ended before it answered')));
    const lines = createInterface({ input: socket });
    // It tells its input's errors on.
    lines.on('error', reject);
    lines.on('line', (line) => {
      socket.end();
      const { value, error } = JSON.parse(line) as { value?: Result; error?: string };
      if (error === undefined) {
        resolve(value as Result);
      } else {
        reject(new Error(error));
      }
    });
    socket.write(`${JSON.stringify({ source, argument })}\n`);
  });
}
