import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { ManualClock } from '../../../test/support/manual-clock.ts';
import { until } from '../../../test/support/stage.ts';
import { withoutScripts } from '../../../test/support/system.ts';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';
import { silentLog } from '../../ports/log.ts';
import type { RunOrder } from '../../ports/program-runner.ts';
import { createHelperRunner } from './helper-runner.ts';

const order: RunOrder = {
  command: '/usr/bin/aws',
  args: ['get-token'],
  env: { AWS_PROFILE: 'work' },
  pass: ['TERM'],
  cwd: '/srv',
  terminal: false,
  maxBytes: 1024,
  timeoutSeconds: 60,
};

const folder = temporaryFolder();
let clock: ManualClock;
beforeEach(() => {
  clock = new ManualClock();
});

/** A stand-in for the helper: `heard(frame)` is called for each frame, `gone()` at the end of its stdin. */
function helperThat(script: string): string {
  const file = join(folder(), 'helper');
  const frames = `
    const note = (name, text = '') => require('node:fs').writeFileSync(${JSON.stringify(folder())} + '/' + name, text);
    const tell = (...frames) => process.stdout.write(Buffer.concat(frames.map((frame) => {
      const body = Buffer.from(JSON.stringify(frame));
      const length = Buffer.alloc(4);
      length.writeUInt32BE(body.length);
      return Buffer.concat([length, body]);
    })));
    const ran = (id, text) => ({ kind: 'ran', id, outcome: { how: 'exited', code: 0, stdout: Buffer.from(text).toString('base64') } });
    let heard = () => {};
    let gone = () => process.exit(0);
    let bytes = Buffer.alloc(0);
    process.stdin.on('data', (chunk) => {
      bytes = Buffer.concat([bytes, chunk]);
      while (bytes.length >= 4 && bytes.length >= 4 + bytes.readUInt32BE()) {
        const end = 4 + bytes.readUInt32BE();
        const frame = JSON.parse(bytes.subarray(4, end));
        bytes = bytes.subarray(end);
        heard(frame);
      }
    });
    process.stdin.on('end', () => gone());`;
  writeFileSync(file, `#!${process.execPath}\n${frames}\n${script}`);
  chmodSync(file, 0o755);
  return file;
}

function begin(helper: string, more: Partial<RunOrder> = {}) {
  const known = { parentPid: 1, startTime: 's', name: 'lanyard', sessionLeaderPid: 1, hasTerminal: false };
  const identity = { brief: (pid: number) => ({ pid, ...known }) };
  const runner = createHelperRunner({ helper, clock, identity, log: silentLog })();
  const abort = new AbortController();
  const said: string[] = [];
  const watch = {
    onStderr: (bytes: Buffer) => void said.push(bytes.toString()),
    onLapse: () => undefined,
    signal: abort.signal,
  };
  return { runner, abort, said, watch, done: runner.run({ ...order, ...more }, watch) };
}

const noted = (name: string) => until(() => (existsSync(join(folder(), name)) ? true : null), name);
const text = (name: string) => readFileSync(join(folder(), name), 'utf8');

/** Whether the process exists. */
function isRunning(pid: number | undefined): boolean {
  try {
    return pid !== undefined && process.kill(pid, 0);
  } catch {
    return false;
  }
}
const ended = (pid: number | undefined) => until(() => (isRunning(pid) ? null : true), 'the helper’s end');

describe.skipIf(withoutScripts)('a program without a terminal', () => {
  it('is run by a helper that has nothing of the broker’s, and gets the order over its stdin', async () => {
    const { runner, done, said } = begin(
      helperThat(`heard = (frame) => {
        note('order', JSON.stringify(frame));
        note('self', JSON.stringify({ args: process.argv.slice(2), env: process.env, cwd: process.cwd() }));
        tell({ kind: 'alive', id: frame.id }, { kind: 'said', id: frame.id, data: 'aGk=' }, ran(frame.id, 'größe'));
      };`),
    );
    const outcome = await done;
    expect(outcome.how === 'exited' && outcome.stdout.reveal()).toBe('größe');
    expect(said).toEqual(['hi']);
    expect(JSON.parse(text('order'))).toMatchObject({
      kind: 'run',
      command: '/usr/bin/aws',
      env: [{ name: 'AWS_PROFILE', value: 'work' }],
      pass: [],
      cwd: '/srv',
      terminal: false,
      seconds: 60,
    });
    expect(JSON.parse(text('self'))).toEqual({ args: ['run-program'], env: {}, cwd: '/' });
    expect(runner.process).toMatchObject({ startTime: 's' });
    await ended(runner.process?.pid);
    expect(clock.pending).toBe(0);
  });

  it('is not started where the helper isn’t there, or can’t be run', async () => {
    const missing = begin(join(folder(), 'missing'));
    const notStarted = (code: string) => ({ how: 'notStarted', message: expect.stringContaining(code) });
    expect(await missing.done).toMatchObject(notStarted('ENOENT'));
    expect(missing.runner.process).toBeNull();
    const file = helperThat('');
    chmodSync(file, 0o600);
    expect(await begin(file).done).toMatchObject(notStarted('EACCES'));
  });

  it('has no terminal to be ordered', async () => {
    expect(await begin(helperThat(''), { terminal: true }).done).toEqual({ how: 'noTerminal' });
  });

  it('is one for each runner', async () => {
    const { runner, watch, done, abort } = begin(helperThat(`heard = () => note('ordered');`));
    expect(await runner.run(order, watch)).toEqual({ how: 'lost' });
    await noted('ordered');
    abort.abort();
    expect(await done).toEqual({ how: 'lost' });
  });
});

describe.skipIf(withoutScripts)('when it is given up', () => {
  it('is lost at once; the helper is told, and its stdin ends', async () => {
    const { done, abort, runner } = begin(
      helperThat(`let kinds = [];
        heard = (frame) => { kinds.push(frame.kind); note('ordered'); };
        gone = () => { note('kinds', kinds.join(' ')); process.exit(0); };`),
    );
    await noted('ordered');
    abort.abort();
    expect(await done).toEqual({ how: 'lost' });
    await ended(runner.process?.pid);
    expect(text('kinds')).toBe('run cancel');
    expect(clock.pending).toBe(0);
  });

  it('a helper that doesn’t end is killed, but not before its time', async () => {
    const { done, abort, runner } = begin(
      helperThat(
        `heard = () => note('ordered'); gone = () => { note('gone'); setInterval(() => {}, 1000); };`,
      ),
    );
    await noted('ordered');
    abort.abort();
    expect(await done).toEqual({ how: 'lost' });
    await noted('gone');
    clock.advance(9_999);
    expect(isRunning(runner.process?.pid)).toBe(true);
    clock.advance(1);
    await ended(runner.process?.pid);
  });
});

describe.skipIf(withoutScripts)('a helper that fails', () => {
  it.each([
    ['ends without a word', `heard = () => process.exit(2);`],
    ['sends what is no frame', `heard = () => process.stdout.write('lanyard: no such command\\n');`],
    ['tells of another run', `heard = ({ id }) => tell(ran(id + 1, 'x'));`],
    ['answers what nobody asked', `heard = () => tell({ kind: 'answer', id: 1, value: null });`],
    ['brings more than was ordered', `heard = ({ id }) => tell(ran(id, 'x'.repeat(1025)));`],
  ])('loses the run: %s', async (_, script) => {
    const { done, runner } = begin(helperThat(script));
    expect(await done).toEqual({ how: 'lost' });
    await ended(runner.process?.pid);
  });

  it('and tells two ends of one run: the first counts', async () => {
    const { done, runner } = begin(helperThat(`heard = ({ id }) => tell(ran(id, 'a'), ran(id, 'b'));`));
    const outcome = await done;
    expect(outcome.how === 'exited' && outcome.stdout.reveal()).toBe('a');
    await ended(runner.process?.pid);
  });

  it('doesn’t keep the program’s limit: the run has timed out a little later, and the helper is ended', async () => {
    const { done, runner } = begin(helperThat(`heard = ({ id }) => { note('ordered'); };`), {
      timeoutSeconds: 5,
    });
    await noted('ordered');
    clock.advance(15_000);
    expect(await done).toEqual({ how: 'timedOut' });
    await ended(runner.process?.pid);
  });
});
