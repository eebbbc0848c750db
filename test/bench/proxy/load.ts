import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { createCargo } from '../../../scripts/cargo.ts';

/** What ALPN settles on. */
export type Protocol = 'h2' | 'http/1.1';

/** Whom a client asks. `prefix`: before each path; `authorization`: empty is none. */
export interface Target {
  port: number;
  prefix: string;
  /** PEM. */
  ca: string;
  protocol: Protocol;
  authorization: string;
}

/** A server at `port` that costs little. */
export interface LoadServer extends AsyncDisposable {
  readonly port: number;
}

/** native-helper/proxy/examples/load: a server and a client that cost little. */
export interface Load {
  serve(asked: { certificate: string; key: string; protocol: Protocol }): Promise<LoadServer>;
  /** Milliseconds of each of `count` requests, a list for each target; they are asked in turn. */
  time(
    targets: readonly Target[],
    kind: 'get' | 'down' | 'up',
    options: { count: number; bytes?: number },
  ): Promise<number[][]>;
  /** `count` watches of each, on one connection each, open until it is disposed of. */
  watch(targets: readonly Target[], count: number): Promise<AsyncDisposable>;
}

/** Builds it. Throws where cargo can’t. */
export function buildLoad(): Load {
  const root = join(import.meta.dirname, '..', '..', '..');
  const cargo = createCargo(root);
  const program = cargo.buildDataPlaneExample(cargo.hostTarget(), 'lanyard-proxy', 'load');
  const begin = async (mode: 'serve' | 'run', asked: object) => {
    const child = spawn(program, [mode], { stdio: ['pipe', 'pipe', 'inherit'] });
    child.stdin.write(`${JSON.stringify(asked)}\n`);
    const line = await firstLine(child, mode);
    const dispose = async () => {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.stdin.end();
      await (child.exitCode === null ? ended : null);
    };
    return { said: JSON.parse(line) as unknown, [Symbol.asyncDispose]: dispose };
  };
  return {
    async serve(asked) {
      const { said, ...rest } = await begin('serve', asked);
      return { port: said as number, ...rest };
    },
    async time(targets, kind, { count, bytes = 0 }) {
      await using done = await begin('run', { targets, kind, count, bytes });
      return done.said as number[][];
    },
    watch: (targets, count) => begin('run', { targets, kind: 'watch', count, bytes: 0 }),
  };
}

function firstLine(child: ChildProcess, mode: string): Promise<string> {
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    // Not its exit: what it printed last may still have to be read then.
    child.once('close', (code) => reject(new Error(`load ${mode} ended with ${code}`)));
    if (child.stdout !== null) {
      createInterface({ input: child.stdout }).once('line', resolve);
    }
  });
}
