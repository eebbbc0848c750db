import { describe, expect, it } from 'vitest';
import { ManualClock } from '../../../test/support/manual-clock.ts';
import { type BrokerFrame, brokerFrame, type RunOutcomeFrame } from '../../contract/frames.ts';
import type { RunOrder, RunOutcome } from '../../ports/program-runner.ts';
import { encodeFrame } from './frame-codec.ts';
import { FrameRunner } from './frame-runner.ts';

const order: RunOrder = {
  command: '/usr/bin/aws',
  args: ['eks', 'get-token'],
  env: { AWS_PROFILE: 'work' },
  pass: ['TERM', 'LC_*'],
  cwd: null,
  terminal: true,
  maxBytes: 16,
  timeoutSeconds: 60,
};

const inBase64 = (text: string) => Buffer.from(text).toString('base64');
const exited = (text: string): RunOutcomeFrame => ({ how: 'exited', code: 0, stdout: inBase64(text) });

function runnerWith(send?: (frame: BrokerFrame) => void) {
  const sent: BrokerFrame[] = [];
  const clock = new ManualClock();
  let id = 6;
  let looks = 0;
  const runner = new FrameRunner({
    outgoing: { send: send ?? ((frame) => void sent.push(brokerFrame.parse(frame))) },
    clock,
    nextId: () => ++id,
    lookUpProcess: () => ({ pid: 200 + looks++, startTime: 's' }),
  });
  /** A run under way, what its watcher saw, and how it ended. */
  const begin = (more: Partial<RunOrder> = {}) => {
    const abort = new AbortController();
    const seen: (boolean | string)[] = [];
    const state: { outcome: RunOutcome | null } = { outcome: null };
    const done = runner.run(
      { ...order, ...more },
      {
        onStderr: (bytes) => seen.push(bytes.toString()),
        onLapse: (lapsed) => seen.push(lapsed),
        signal: abort.signal,
      },
    );
    void done.then((outcome) => (state.outcome = outcome));
    return { done, seen, abort, state };
  };
  const pass = (milliseconds: number) => {
    for (let left = milliseconds; left > 0; left -= 50) {
      clock.advance(50);
    }
  };
  return { runner, sent, clock, begin, pass };
}

describe('a run', () => {
  it('is ordered with all that it needs, and gives what the helper tells', async () => {
    const { runner, sent, begin } = runnerWith();
    const { done, seen } = begin();
    expect(sent).toEqual([
      {
        kind: 'run',
        id: 7,
        command: '/usr/bin/aws',
        args: ['eks', 'get-token'],
        env: [{ name: 'AWS_PROFILE', value: 'work' }],
        pass: ['TERM', 'LC_*'],
        cwd: null,
        terminal: true,
        maxBytes: 16,
        seconds: 60,
      },
    ]);
    expect(runner.take({ kind: 'alive', id: 7 })).toBeNull();
    expect(runner.take({ kind: 'said', id: 7, data: inBase64('Code: ') })).toBeNull();
    expect(runner.take({ kind: 'ran', id: 7, outcome: exited('größe') })).toBeNull();
    const outcome = await done;
    expect(outcome).toMatchObject({ how: 'exited', code: 0 });
    expect(outcome.how === 'exited' && outcome.stdout.reveal()).toBe('größe');
    expect(seen).toEqual(['Code: ']);
  });

  it.each<RunOutcomeFrame>([
    { how: 'signalled', signal: 9 },
    { how: 'notFound' },
    { how: 'notStarted', message: 'Permission denied' },
    { how: 'tooLarge' },
    { how: 'timedOut' },
    { how: 'interrupted', signal: 2 },
    { how: 'noTerminal' },
  ])('ends as the helper says: %o', async (told) => {
    const { runner, begin } = runnerWith();
    const { done } = begin();
    runner.take({ kind: 'ran', id: 7, outcome: told });
    expect(await done).toEqual(told);
  });

  it('is known by the helper’s process, looked up once', () => {
    const { runner } = runnerWith();
    expect(runner.process).toEqual({ pid: 200, startTime: 's' });
    expect(runner.process).toEqual({ pid: 200, startTime: 's' });
    runner.close();
    expect(runner.process).toEqual({ pid: 200, startTime: 's' });
  });

  it('has no process where it was not read before the helper was gone: the pid may be another’s', () => {
    const { runner } = runnerWith();
    runner.close();
    expect(runner.process).toBeNull();
  });

  it('is lost when the helper goes away, and so is each one after that', async () => {
    const { runner, sent, begin, clock } = runnerWith();
    const { done } = begin();
    runner.close();
    expect(await done).toEqual({ how: 'lost' });
    expect(await begin().done).toEqual({ how: 'lost' });
    expect(sent).toHaveLength(1);
    expect(clock.pending).toBe(0);
  });

  it('is lost, and not ordered, while another one is under way', async () => {
    const { runner, sent, begin } = runnerWith();
    const first = begin();
    expect(await begin().done).toEqual({ how: 'lost' });
    expect(sent).toHaveLength(1);
    runner.take({ kind: 'ran', id: 7, outcome: exited('') });
    expect(await first.done).toMatchObject({ how: 'exited' });
    const third = begin();
    expect(sent.at(-1)).toMatchObject({ kind: 'run', id: 8 });
    runner.take({ kind: 'ran', id: 8, outcome: { how: 'timedOut' } });
    expect(await third.done).toEqual({ how: 'timedOut' });
  });

  it.each<[string, Partial<RunOrder>]>([
    ['arguments', { args: Array.from({ length: 257 }, () => 'x') }],
    ['a command', { command: `/${'x'.repeat(4096)}` }],
  ])('is not started where no frame holds it: %s', async (_, more) => {
    const { sent, begin } = runnerWith();
    expect(await begin(more).done).toMatchObject({ how: 'notStarted' });
    expect(sent).toEqual([]);
  });

  it('is not started where its environment is larger than a frame, and the next one is', async () => {
    const { begin } = runnerWith((frame) => void encodeFrame(frame));
    const large = { env: { A: 'x'.repeat(9 * 1024 * 1024) } };
    expect(await begin(large).done).toMatchObject({ how: 'notStarted' });
    expect(begin().state.outcome).toBeNull();
  });
});

describe('the lease', () => {
  it('lapses once after 3 s without a word, and is taken up again by the next one', () => {
    const { runner, begin, pass } = runnerWith();
    const { seen, state } = begin();
    pass(2_950);
    expect(seen).toEqual([]);
    pass(50);
    expect(seen).toEqual([true]);
    pass(60_000);
    expect(seen).toEqual([true]);
    runner.take({ kind: 'alive', id: 7 });
    runner.take({ kind: 'alive', id: 7 });
    expect(seen).toEqual([true, false]);
    pass(3_000);
    expect(seen).toEqual([true, false, true]);
    expect(state.outcome).toBeNull();
  });

  it.each<['alive' | 'said']>([['alive'], ['said']])('holds while the helper says `%s`', (kind) => {
    const { runner, begin, pass } = runnerWith();
    const { seen } = begin();
    for (let turn = 0; turn < 5; turn++) {
      pass(2_900);
      runner.take(kind === 'alive' ? { kind, id: 7 } : { kind, id: 7, data: '' });
    }
    expect(seen.filter((each) => each !== '')).toEqual([]);
  });

  it('holds where the broker itself stood still, and reads what came meanwhile', () => {
    const { runner, begin, clock } = runnerWith();
    const { seen } = begin();
    // Timers that are due run before what has arrived is read.
    clock.advance(20_000);
    runner.take({ kind: 'alive', id: 7 });
    clock.advance(250);
    expect(seen).toEqual([]);
  });

  it('ends with the run', async () => {
    const { runner, begin, pass, clock } = runnerWith();
    const { seen, done } = begin();
    runner.take({ kind: 'ran', id: 7, outcome: { how: 'notFound' } });
    await done;
    pass(10_000);
    expect(seen).toEqual([]);
    expect(clock.pending).toBe(0);
  });
});

describe('an aborted run', () => {
  it('is lost at once, is cancelled, and what comes late of it is dropped', async () => {
    const { runner, sent, begin, pass, clock } = runnerWith();
    const { done, abort, seen } = begin();
    abort.abort();
    expect(await done).toEqual({ how: 'lost' });
    expect(sent.at(-1)).toEqual({ kind: 'cancel', id: 7 });
    expect(clock.pending).toBe(0);
    expect(runner.take({ kind: 'alive', id: 7 })).toBeNull();
    expect(runner.take({ kind: 'said', id: 7, data: inBase64('late') })).toBeNull();
    expect(runner.take({ kind: 'ran', id: 7, outcome: exited('x'.repeat(100)) })).toBeNull();
    pass(10_000);
    expect(seen).toEqual([]);
  });

  it('doesn’t touch the one after it', async () => {
    const { runner, begin } = runnerWith();
    const first = begin();
    first.abort.abort();
    const second = begin();
    runner.take({ kind: 'ran', id: 7, outcome: exited('old') });
    runner.take({ kind: 'ran', id: 8, outcome: exited('new') });
    const outcome = await second.done;
    expect(outcome.how === 'exited' && outcome.stdout.reveal()).toBe('new');
    expect(await first.done).toEqual({ how: 'lost' });
  });

  it('is one that is under way: what aborts after its end doesn’t end the next one', async () => {
    const { runner, sent, begin } = runnerWith();
    const first = begin();
    runner.take({ kind: 'ran', id: 7, outcome: exited('') });
    await first.done;
    const second = begin();
    first.abort.abort();
    expect(sent.map(({ kind }) => kind)).toEqual(['run', 'run']);
    runner.take({ kind: 'ran', id: 8, outcome: { how: 'timedOut' } });
    expect(await second.done).toEqual({ how: 'timedOut' });
  });

  it('was never ordered where it was aborted before', async () => {
    const { runner, sent } = runnerWith();
    const watch = { onStderr: () => undefined, onLapse: () => undefined, signal: AbortSignal.abort() };
    expect(await runner.run(order, watch)).toEqual({ how: 'lost' });
    expect(sent).toEqual([]);
  });
});

describe('a helper that lies', () => {
  it.each(['alive', 'said', 'ran'] as const)('is at fault with a `%s` that nobody ordered', (kind) => {
    const { runner, begin, sent } = runnerWith();
    const report = (id: number) =>
      kind === 'alive'
        ? { kind, id }
        : kind === 'said'
          ? { kind, id, data: '' }
          : { kind, id, outcome: exited('') };
    expect(runner.take(report(7))).toBe('order');
    begin();
    expect(runner.take(report(8))).toBe('order');
    expect(sent).toHaveLength(1);
  });

  it('is at fault with two ends of one run, given up or not', () => {
    const { runner, begin } = runnerWith();
    const end = { kind: 'ran' as const, outcome: exited('') };
    begin();
    expect(runner.take({ ...end, id: 7 })).toBeNull();
    expect(runner.take({ ...end, id: 7 })).toBe('order');
    expect(runner.take({ kind: 'alive', id: 7 })).toBe('order');
    begin().abort.abort();
    expect(runner.take({ ...end, id: 8 })).toBeNull();
    expect(runner.take({ ...end, id: 8 })).toBe('order');
  });

  it('is at fault with more on stdout than was ordered', () => {
    const { runner, begin } = runnerWith();
    const { state } = begin();
    expect(runner.take({ kind: 'ran', id: 7, outcome: exited('x'.repeat(17)) })).toBe('oversized');
    expect(state.outcome).toBeNull();
    expect(runner.take({ kind: 'ran', id: 7, outcome: exited('x'.repeat(16)) })).toBeNull();
  });

  it('brings no more than 64 KiB of stderr, and goes on', async () => {
    const { runner, begin } = runnerWith();
    const { seen, done } = begin();
    const data = inBase64('e'.repeat(40_000));
    for (let times = 0; times < 100; times++) {
      expect(runner.take({ kind: 'said', id: 7, data })).toBeNull();
    }
    expect(seen.join('')).toHaveLength(64 * 1024);
    expect(seen).toHaveLength(2);
    runner.take({ kind: 'ran', id: 7, outcome: exited('') });
    expect(await done).toMatchObject({ how: 'exited' });
  });
});
