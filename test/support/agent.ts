import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { assertBuilt } from './built.ts';
import { builtHelper, type TestHome } from './home.ts';
import { type Ended, type Running, start } from './processes.ts';

export interface AgentOptions {
  home: TestHome;
  /** Protects the vault by this; without it the keychain does, whose environment then goes into `env`. */
  passphrase?: string;
  /** `new`: the broker makes its vault itself, at scrypt’s full cost. Otherwise one that opens at once is there. */
  vault?: 'new';
  /** `built`: `dist/bin/lanyard agent`. `source`: main/start/agent.ts under this Node. `built` unless told otherwise. */
  mode?: 'built' | 'source';
  /** Added to the home's variables; nothing else is passed on. */
  env?: Readonly<Record<string, string>>;
  args?: readonly string[];
  readyMilliseconds?: number;
}

/** A broker under way, headless. */
export interface TestAgent {
  readonly pid: number;
  /** From its start until it said that it listens. */
  readonly readyMilliseconds: number;
  readonly ended: Promise<Ended>;
  isRunning(): boolean;
  /** Its log so far, one JSON object a line. */
  log(): string;
  /** Waits for a line of its log, also one already written. */
  waitForLog(pattern: RegExp, timeoutMilliseconds?: number): Promise<RegExpExecArray>;
  /** Signals it and waits until it has ended; SIGKILL unless told otherwise. */
  kill(signal?: NodeJS.Signals): Promise<Ended>;
  /** SIGTERM, and its end. */
  stop(): Promise<Ended>;
  /** Its resident memory now. */
  residentBytes(): number;
  dispose(): Promise<void>;
}

const repository = join(import.meta.dirname, '..', '..');

/** Resident memory of a process in bytes. Throws where it has ended. */
export function residentBytes(pid: number): number {
  const kibibytes =
    process.platform === 'linux'
      ? /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
      : execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' }).trim();
  return Number(kibibytes) * 1024;
}

function commandLine(options: AgentOptions): [string, string[]] {
  const args = [...(options.args ?? [])];
  if (options.passphrase !== undefined) {
    args.push('--passphrase-file', options.home.write('passphrase', `${options.passphrase}\n`));
  }
  if (options.mode === 'source') {
    return [process.execPath, [join(repository, 'main', 'start', 'agent.ts'), ...args]];
  }
  assertBuilt();
  return [builtHelper, ['agent', ...args]];
}

/** Starts a broker and waits until it listens. Throws with its log where it doesn't. */
export async function startAgent(options: AgentOptions): Promise<TestAgent> {
  const [command, args] = commandLine(options);
  if (options.passphrase !== undefined && options.vault !== 'new') {
    const { seedVault } = await import('./seed-vault.ts');
    await seedVault(options.home, options.passphrase);
  }
  const startedAt = performance.now();
  const running = start(command, args, { env: { ...options.home.env, ...options.env } });
  running.closeInput();
  try {
    await running.waitForLine(/\bagent\.listening\b/, options.readyMilliseconds ?? 120_000);
  } catch (error) {
    await running.dispose();
    throw error;
  }
  return agentOf(running, startedAt);
}

/** A broker's program that is ready now; it was started at `startedAt`, by performance.now(). */
export function agentOf(running: Running, startedAt: number): TestAgent {
  const kill = async (signal: NodeJS.Signals = 'SIGKILL'): Promise<Ended> => {
    running.kill(signal);
    return running.ended;
  };
  return {
    pid: running.pid,
    readyMilliseconds: performance.now() - startedAt,
    ended: running.ended,
    isRunning: running.isRunning,
    log: () => running.stdout() + running.stderr(),
    waitForLog: running.waitForLine,
    kill,
    stop: () => kill('SIGTERM'),
    residentBytes: () => residentBytes(running.pid),
    dispose: () => running.dispose(),
  };
}
