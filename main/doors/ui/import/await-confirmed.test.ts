import { expect, it } from 'vitest';
import { type AwaitConfirmedDeps, awaitConfirmed } from './await-confirmed.ts';

const entries = [
  { what: 'account', name: 'corp' },
  { what: 'cluster', name: 'prod' },
] as const;

function world() {
  const held = new Set(['account corp', 'cluster prod']);
  const there = { accounts: new Map([['corp', {}]]), clusters: new Map([['prod', {}]]) };
  const listeners = new Set<() => void>();
  const timers = new Set<() => void>();
  let locked = false;
  const listen = (listener: () => void) => {
    listeners.add(listener);
    return { dispose: () => void listeners.delete(listener) };
  };
  const deps = {
    bindings: {
      pending(what: string, name: string) {
        if (locked) {
          throw new Error('locked');
        }
        return held.has(`${what} ${name}`) ? {} : null;
      },
      onConfirmed: listen,
    },
    config: { current: () => there, onChange: listen },
    clock: {
      after: (_: number, run: () => void) => {
        timers.add(run);
        return { dispose: () => void timers.delete(run) };
      },
    },
  } as unknown as AwaitConfirmedDeps;
  const tell = () => {
    for (const listener of [...listeners]) {
      listener();
    }
  };
  const lock = (now: boolean) => {
    locked = now;
  };
  return { deps, held, there, tell, lock, listeners, timers };
}

/** Whether it has ended by now, one way or the other. */
async function state(promise: Promise<void>): Promise<string> {
  return Promise.race([
    promise.then(
      () => 'confirmed',
      (error: Error) => error.message,
    ),
    new Promise<string>((resolve) => setImmediate(() => resolve('waiting'))),
  ]);
}

it('ends when all of it is confirmed, not before, and not because it was locked', async () => {
  const { deps, held, tell, lock, listeners, timers } = world();
  const waiting = awaitConfirmed(entries, new AbortController().signal, deps);
  held.delete('account corp');
  tell();
  expect(await state(waiting)).toBe('waiting');
  held.delete('cluster prod');
  lock(true);
  tell();
  expect(await state(waiting)).toBe('waiting');
  lock(false);
  tell();
  expect(await state(waiting)).toBe('confirmed');
  expect(listeners.size + timers.size).toBe(0);
});

it('ends with a refusal where it was taken out again, takes too long, or is cancelled', async () => {
  const taken = world();
  const first = awaitConfirmed(entries, new AbortController().signal, taken.deps);
  taken.there.clusters.clear();
  taken.held.clear();
  taken.tell();
  expect(await state(first)).toContain('taken out again');

  const late = world();
  const second = awaitConfirmed(entries, new AbortController().signal, late.deps);
  for (const run of late.timers) {
    run();
  }
  expect(await state(second)).toContain('no one approved it');

  const left = world();
  const leaving = new AbortController();
  const third = awaitConfirmed(entries, leaving.signal, left.deps);
  leaving.abort(new Error('left'));
  expect(await state(third)).toBe('left');
  expect(left.listeners.size + left.timers.size).toBe(0);
});
