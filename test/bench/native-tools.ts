import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';

const sources = join(import.meta.dirname, 'native');
const built = join(import.meta.dirname, '..', '..', '.cache', 'bench');

export interface NativeTools {
  /** A static program that does nothing. */
  noop: string;
  /** One that prints its argument. */
  floor: string;
  timer: string;
}

/** Compiles the reference and the timer. Throws where there is no C compiler. */
export function buildNativeTools(): NativeTools {
  mkdirSync(built, { recursive: true });
  const compile = (name: string) => {
    const program = join(built, name);
    execFileSync('cc', ['-O2', '-static', '-o', program, join(sources, `${name}.c`)], { stdio: 'inherit' });
    return program;
  };
  return { noop: compile('noop'), floor: compile('floor'), timer: compile('time-processes') };
}

/** One run of A and one of B, one after the other. Times in milliseconds, memory in KiB. */
export interface Pair {
  a: number;
  b: number;
  aResidentKib: number;
  bResidentKib: number;
  failed: number;
}

type Environment = Record<string, string>;

/** How many pairs are run before those that are counted. */
export function warmUpOf(count: number): number {
  return Math.min(20, count);
}

/** How many calls of these pairs failed. */
export function failedOf(pairs: readonly Pair[]): number {
  return pairs.reduce((sum, { failed }) => sum + failed, 0);
}

/** A and B in turn, `count` times, after some uncounted ones; `other` before each of them, so that its caches are cold. */
export async function timePairs(
  tools: NativeTools,
  count: number,
  a: readonly string[],
  b: readonly string[],
  env: Environment,
  other: readonly string[] = [],
): Promise<Pair[]> {
  const warmUp = warmUpOf(count);
  const between = other.length === 0 ? [] : ['--', ...other];
  const words = ['pairs', String(count + warmUp), '--', ...a, '--', ...b, ...between];
  const text = await run(tools.timer, words, env);
  return text
    .trim()
    .split('\n')
    .slice(warmUp)
    .map((line) => {
      const [aNs = 0, bNs = 0, aResidentKib = 0, bResidentKib = 0, failed = 0] = line.split(' ').map(Number);
      return { a: aNs / 1e6, b: bNs / 1e6, aResidentKib, bResidentKib, failed };
    });
}

/** `count` runs, `parallel` at a time: how long all took, and how many failed. */
export async function timeStorm(
  tools: NativeTools,
  count: number,
  parallel: number,
  command: readonly string[],
  env: Environment,
): Promise<{ milliseconds: number; failed: number }> {
  const text = await run(tools.timer, ['storm', String(count), String(parallel), '--', ...command], env);
  const [ns = 0, failed = 0] = text.trim().split(' ').map(Number);
  return { milliseconds: ns / 1e6, failed };
}

/** Not `execFileSync`: the API server and the provider live in this process and have to go on answering. */
function run(program: string, args: readonly string[], env: Environment): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { env, stdio: ['ignore', 'pipe', 'inherit'] });
    let text = '';
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
    });
    child.on('error', reject);
    child.on('close', (code) =>
      code === 0 ? resolve(text) : reject(new Error(`${program} ended with ${code}`)),
    );
  });
}
