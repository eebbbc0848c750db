import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { endTree, treeOf } from '../scripts/limited.ts';
import { run, start } from './support/processes.ts';

/** The limit of each step of scripts/test. */
const script = join(import.meta.dirname, '..', 'scripts', 'limited.ts');
const limited = (seconds: number, ...command: string[]) =>
  run(process.execPath, [script, String(seconds), ...command]);

describe('a command with a limit', () => {
  test('says what it says, and ends as it ends', async () => {
    expect(await limited(60, 'sh', '-c', 'echo out; echo err >&2; exit 7')).toMatchObject({
      code: 7,
      stdout: 'out\n',
      stderr: 'err\n',
    });
  });

  test('that isn’t there is said', async () => {
    const { code, stderr } = await limited(60, '/nowhere/nothing');
    expect([code, stderr]).toEqual([127, expect.stringContaining('could not be started')]);
  });

  test('is ended at its limit, which is said', async () => {
    const { code, stderr } = await limited(1, 'sleep', '1000');
    expect([code, stderr]).toEqual([124, 'sleep took longer than 1 s: ended with sleep\n']);
  });
});

test('a process in its own session is ended with it', async () => {
  // Node’s `detached` is setsid, as the tests start their programs.
  const detach = `
    const { spawn } = require('node:child_process');
    console.log('pid ' + spawn('sleep', ['1000'], { detached: true }).pid);
    setInterval(() => {}, 1000);`;
  const running = start(process.execPath, ['-e', detach]);
  const [, below = ''] = await running.waitForLine(/^pid (\d+)/);
  expect(endTree(running.pid).map(({ pid }) => pid)).toEqual([running.pid, Number(below)]);
  expect((await running.ended).signal).toBe('SIGKILL');
  const isGone = () => {
    try {
      return !process.kill(Number(below), 0);
    } catch {
      return true;
    }
  };
  // Whoever takes in orphans may be a moment late.
  await expect.poll(isGone).toBe(true);
});

test('a tree is found whatever the order of the list is', () => {
  const each = (pid: number, parent: number) => ({ pid, parent, name: `p${pid}` });
  const all = [each(5, 4), each(4, 2), each(2, 1), each(3, 1), each(9, 8)];
  expect(treeOf(2, all).map(({ pid }) => pid)).toEqual([2, 4, 5]);
  expect(treeOf(7, all)).toEqual([]);
});
