import { spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync, rmSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { residentBytes } from '../support/agent.ts';
import { builtHelper } from '../support/home.ts';

/** A broker whose log goes to a file, as that of one in daily use: a pipe would wake the measuring process each time. */
export interface BenchAgent {
  readonly pid: number;
  /** From its start until its log said that it is there; by 1 ms. */
  readonly readyMilliseconds: number;
  residentBytes(): number;
  /** SIGTERM, and its end. */
  stop(): Promise<void>;
}

/** Starts `lanyard agent` and waits until it listens; throws with its log where it doesn't. */
export function startBenchAgent(
  env: Record<string, string>,
  logFile: string,
  args: readonly string[] = [],
): Promise<BenchAgent> {
  return startBenchBroker([builtHelper, 'agent', ...args], { env, logFile, says: 'agent.listening' });
}

/** The same of any program with a broker in it, until its log has the word. */
export async function startBenchBroker(
  [program = '', ...args]: readonly string[],
  { env, logFile, says }: { env: Record<string, string>; logFile: string; says: string },
): Promise<BenchAgent> {
  rmSync(logFile, { force: true });
  const log = openSync(logFile, 'a', 0o600);
  const start = performance.now();
  const child = spawn(program, args, { env, stdio: ['ignore', log, log] });
  closeSync(log);
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  while (!readFileSync(logFile, 'utf8').includes(says)) {
    if (child.exitCode !== null || performance.now() - start > 20_000) {
      child.kill('SIGKILL');
      throw new Error(`the broker did not start: ${readFileSync(logFile, 'utf8')}`);
    }
    await delay(1);
  }
  return {
    pid: child.pid ?? 0,
    readyMilliseconds: performance.now() - start,
    residentBytes: () => residentBytes(child.pid ?? 0),
    stop: async () => {
      child.kill('SIGTERM');
      await ended;
    },
  };
}
