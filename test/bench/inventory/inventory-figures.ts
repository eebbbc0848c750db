import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { build } from 'rolldown';
import { buildGo, findGo } from '../../support/go.ts';
import { type InventoryHub, startInventoryHub } from '../../support/inventory-hub.ts';
import { baseEnvironment, type Running, start } from '../../support/processes.ts';
import { type Figure, type Figures, failures } from '../figure.ts';
import { median } from '../statistics.ts';
import { processMilliseconds } from '../ui/process-time.ts';
import { fullProfile } from './full-profile.ts';

const mebibyte = 1024 * 1024;
/** As in scripts/build-native.ts, with which the broker is started. */
const brokerFlags = ['--max-semi-space-size=1', '--heap-growing-percent=50'];
const page = '500';
/** How often the hub has a word to say where nothing changes; kube-apiserver: once a minute. */
const bookmarkMilliseconds = 10_000;

export interface InventoryOptions {
  rounds: number;
  profiles: number;
  idleMilliseconds: number;
}

interface Listed {
  milliseconds: number;
  profiles: number;
  peakBytes: number;
}

/** A hub with many profiles, listed and read, beside client-go; and what it costs to watch it. */
export async function* inventoryFigures({ rounds, profiles, idleMilliseconds }: InventoryOptions): Figures {
  const { hub, server, dispose } = await startInventoryHub();
  try {
    hub.put(...Array.from({ length: profiles }, (_, number) => fullProfile(number)));
    const program = await builtProgram();
    const reference = await builtReference();
    const [ours, theirs]: Listed[][] = [[], []];
    for (let round = 0; round < rounds; round++) {
      ours?.push(await listOnce(program, server));
      if (reference !== null) {
        const { stdout } = await promisify(execFile)(reference, [server, page], { env: baseEnvironment() });
        theirs?.push(JSON.parse(stdout));
      }
    }
    const beside = (of: (listed: Listed) => number): Figure['reference'] =>
      theirs?.length
        ? { what: 'client-go’s list, decoded to Go objects', value: median(theirs.map(of)) }
        : null;
    const figure = (what: string, unit: string, most: number, of: (listed: Listed) => number): Figure => ({
      what: `${profiles} profiles listed by pages of ${page} and read, ${what}: median`,
      value: median((ours ?? []).map(of)),
      unit,
      reference: beside(of),
      limit: { kind: 'atMost', value: most },
    });
    yield figure('until listeners are told', 'ms', 3_000, ({ milliseconds }) => milliseconds);
    yield figure(
      'peak of the process, also while it writes them',
      'MiB',
      200,
      ({ peakBytes }) => peakBytes / mebibyte,
    );
    yield failures(
      'profiles that either missed',
      [...(ours ?? []), ...(theirs ?? [])].reduce(
        (sum, listed) => sum + Math.abs(profiles - listed.profiles),
        0,
      ),
    );
    yield await idleFigure(program, server, hub, profiles, idleMilliseconds);
  } finally {
    await dispose();
  }
}

async function idleFigure(
  program: string,
  server: string,
  hub: InventoryHub,
  profiles: number,
  idleMilliseconds: number,
): Promise<Figure> {
  await using following = await follow(program, server);
  await following.listed();
  const bookmarks = setInterval(() => hub.bookmark(), bookmarkMilliseconds);
  // What the list left to collect is not of the watch.
  await delay(Math.min(idleMilliseconds, 5_000));
  const before = processMilliseconds(following.pid);
  const startedAt = performance.now();
  await delay(idleMilliseconds);
  const spent = processMilliseconds(following.pid) - before;
  clearInterval(bookmarks);
  return {
    what: `a watch on ${profiles} profiles in which nothing changes, of one core`,
    value: (spent / (performance.now() - startedAt)) * 100,
    unit: '%',
    reference: null,
    limit: { kind: 'atMost', value: 0.5 },
  };
}

async function listOnce(program: string, server: string): Promise<Listed> {
  await using following = await follow(program, server);
  return await following.listed();
}

interface Following extends AsyncDisposable {
  pid: number;
  listed(): Promise<Listed>;
}

async function follow(program: string, server: string): Promise<Following> {
  const folder = mkdtempSync(join(tmpdir(), 'ly-bench-'));
  const running: Running = start(process.execPath, [...brokerFlags, program, server, folder]);
  return {
    pid: running.pid,
    listed: async () => JSON.parse((await running.waitForLine(/^\{.*\}$/m, 60_000))[0]),
    async [Symbol.asyncDispose]() {
      await running.dispose();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** In one file of JavaScript, as the broker is: what Node needs to read TypeScript is none of it. */
async function builtProgram(): Promise<string> {
  const folder = join(import.meta.dirname, '..', '..', '..', '.cache', 'bench');
  mkdirSync(folder, { recursive: true });
  const file = join(folder, 'follow-hub.mjs');
  await build({
    input: join(import.meta.dirname, 'follow-hub.ts'),
    platform: 'node',
    output: { file, format: 'esm' },
    logLevel: 'silent',
  });
  return file;
}

/** Null: it can't be built here, which is said. */
async function builtReference(): Promise<string | null> {
  const go = findGo();
  if (!go.ok) {
    console.error(`inventory: without client-go beside it: ${go.why}`);
    return null;
  }
  return await buildGo(go.path, 'list-profiles');
}
