import { join } from 'node:path';
import { createPeerIdentity, loadAddon } from '../../main/platform/native/addon.ts';
import { createSystemClock } from '../../main/platform/native/system-clock.ts';
import { createHelperRunner } from '../../main/platform/programs/helper-runner.ts';
import { silentLog } from '../../main/ports/log.ts';
import type { ProgramRunner, RunOrder, RunOutcome } from '../../main/ports/program-runner.ts';
import { assertBuilt } from './built.ts';
import { builtHelper } from './home.ts';
import type { TestPlugin } from './plugin.ts';

/** A runner as the broker has it, of the helper as `npm run build` makes it. */
export function builtRunner(): ProgramRunner {
  assertBuilt();
  const addon = loadAddon(join(import.meta.dirname, '..', '..', 'dist', 'native', 'lanyard.node'));
  return createHelperRunner({
    helper: builtHelper,
    clock: createSystemClock(addon),
    identity: createPeerIdentity(addon, process.pid),
    log: silentLog,
  })();
}

/** What the broker orders for a test plugin, as far as a test doesn't say otherwise. */
export function orderFor(plugin: TestPlugin, does: string, more: Partial<RunOrder> = {}): RunOrder {
  return {
    command: plugin.command,
    args: [`do=${does}`],
    env: { PATH: '/usr/bin:/bin' },
    pass: [],
    cwd: null,
    terminal: false,
    maxBytes: 1024 * 1024,
    timeoutSeconds: 30,
    ...more,
  };
}

/** A run under way. */
export interface BegunRun {
  runner: ProgramRunner;
  done: Promise<RunOutcome>;
  /** What came of its stderr so far. */
  said(): Buffer;
  /** How the lease has been so far. */
  lapses: readonly boolean[];
  abort(): void;
}

export function beginRun(order: RunOrder, runner: ProgramRunner = builtRunner()): BegunRun {
  const abort = new AbortController();
  const said: Buffer[] = [];
  const lapses: boolean[] = [];
  const done = runner.run(order, {
    onStderr: (bytes) => void said.push(bytes),
    onLapse: (lapsed) => void lapses.push(lapsed),
    signal: abort.signal,
  });
  return { runner, done, lapses, said: () => Buffer.concat(said), abort: () => abort.abort() };
}

/** Of a program that has ended by itself with 0. */
export function stdoutOf(outcome: RunOutcome): string {
  if (outcome.how !== 'exited' || outcome.code !== 0) {
    throw new Error(`it ended otherwise: ${JSON.stringify(outcome)}`);
  }
  return outcome.stdout.reveal();
}
