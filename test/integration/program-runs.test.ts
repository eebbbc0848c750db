import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { makePlugin, type TestPlugin } from '../support/plugin.ts';
import { run, start } from '../support/processes.ts';
import { beginRun, orderFor, stdoutOf } from '../support/program-runs.ts';
import { startOnTerminal } from '../support/pty.ts';
import { until } from '../support/stage.ts';

const runnerProcess = join(import.meta.dirname, '..', 'support', 'runner-process.ts');

let plugin: TestPlugin;
beforeEach(() => {
  plugin = makePlugin();
});
afterEach(() => plugin.dispose());

const outcomeOf = (does: string, more = {}) => beginRun(orderFor(plugin, does, more)).done;
const begun = () => until(() => plugin.runs()[0], 'the plugin’s run');
const nothingLeft = () => until(() => (plugin.processes().length === 0 ? true : null), 'the end of all');

/** Whether a process is there, and not just its exit code. */
const isRunning = async (pid: number) =>
  (await run('ps', ['-o', 'stat=', '-p', String(pid)])).stdout.match(/^[^Z]/);

describe('a program that the broker runs', () => {
  test('gets its arguments, the ordered environment and no more, and no terminal (KEP-541/args-and-env)', async () => {
    const env = { PATH: '/usr/bin:/bin', NAME: 'größe = "1"\n', KUBERNETES_EXEC_INFO: '{"spec":{}}' };
    const args = ['do=fast', '', 'a b', '--x=$HOME', 'ü'];
    const outcome = await outcomeOf('fast', { args, env, cwd: plugin.folder });
    expect(JSON.parse(stdoutOf(outcome)).status.token).toBe(plugin.token(1));
    const [noted] = plugin.runs();
    expect(noted).toMatchObject({ args, env, cwd: plugin.folder, stdin: 'nothing', info: { spec: {} } });
    expect(Object.keys(noted?.env ?? {}).sort()).toEqual(Object.keys(env).sort());
    expect(noted?.session).toEqual({ id: noted?.pid, group: noted?.pid, foreground: -1 });
  });

  test('has no terminal to ask on, and fails immediately (KEP-541/prompts)', async () => {
    // The broker itself may have been started at a terminal.
    const order = JSON.stringify(orderFor(plugin, 'password'));
    const terminal = startOnTerminal(process.execPath, [runnerProcess, order]);
    try {
      await terminal.waitForText(/"how":"exited","code":1/);
      expect(terminal.shown()).not.toMatch(/Code|Password/);
      await terminal.ended;
    } finally {
      await terminal.dispose();
    }
  });
});

test('what a program leaves running after it has ended is left alone, even where it keeps stdout open', async () => {
  const outcome = await outcomeOf('escaping');
  expect(JSON.parse(stdoutOf(outcome)).status.token).toBe(plugin.token(1));
  expect(plugin.processes()).toHaveLength(1);
});

describe('all that it started is ended (rule: no-stray-program)', () => {
  test('at its time limit (KEP-541/timeout)', async () => {
    expect(await outcomeOf('escaping-hanging', { timeoutSeconds: 1 })).toEqual({ how: 'timedOut' });
    await nothingLeft();
  });

  test('when the run is given up', async () => {
    const { done, abort } = beginRun(orderFor(plugin, 'escaping-hanging'));
    await begun();
    abort();
    expect(await done).toEqual({ how: 'lost' });
    await nothingLeft();
  });

  test('when the broker is killed', async () => {
    const order = JSON.stringify(orderFor(plugin, 'escaping-hanging'));
    const broker = start(process.execPath, [runnerProcess, order]);
    const [, helper] = await broker.waitForLine(/"helper":(\d+)/);
    await begun();
    broker.kill('SIGKILL');
    await broker.ended;
    await nothingLeft();
    await until(async () => ((await isRunning(Number(helper))) ? null : true), 'the helper’s end');
  });

  test('when its helper is killed: the run is lost', async () => {
    const { done, runner } = beginRun(orderFor(plugin, 'hanging'));
    const { pid } = await begun();
    process.kill(runner.process?.pid ?? 0, 'SIGKILL');
    expect(await done).toEqual({ how: 'lost' });
    // What it started can't be told from others any more; it itself is ended by the system.
    await until(async () => ((await isRunning(pid)) ? null : true), 'the plugin’s end');
  });
});

test('a helper that is stopped loses its lease, and has it again when it goes on', async () => {
  const { runner, done, lapses, abort } = beginRun(orderFor(plugin, 'held'));
  await begun();
  const helper = runner.process?.pid ?? 0;
  process.kill(helper, 'SIGSTOP');
  try {
    await until(() => (lapses.length === 1 ? true : null), 'the lease’s end');
  } finally {
    process.kill(helper, 'SIGCONT');
  }
  await until(() => (lapses.length === 2 ? true : null), 'its return');
  expect(lapses).toEqual([true, false]);
  plugin.release();
  stdoutOf(await done);
  abort();
});
