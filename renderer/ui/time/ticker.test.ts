import { expect, test } from 'vitest';
import { createTicker } from './ticker.ts';

/** A clock whose timers run when it is set past them. */
function handClock() {
  let now = 1_000_250;
  const timers = new Map<number, { at: number; run: () => void }>();
  let last = 0;
  return {
    timers,
    now: () => now,
    setTimeout(run: () => void, milliseconds: number) {
      timers.set(++last, { at: now + milliseconds, run });
      return last;
    },
    clearTimeout: (timer: number) => void timers.delete(timer),
    advance(milliseconds: number) {
      now += milliseconds;
      for (const [id, { at, run }] of [...timers]) {
        if (at <= now) {
          timers.delete(id);
          run();
        }
      }
    },
  };
}

test('all listeners of a step are called at the same full step, by one timer', () => {
  const clock = handClock();
  const ticker = createTicker(clock);
  const told: string[] = [];
  ticker.subscribe(1000, () => told.push('a'));
  ticker.subscribe(1000, () => told.push('b'));
  expect(clock.timers.size).toBe(1);
  const before = ticker.at(1000);
  clock.advance(500);
  expect([told, ticker.at(1000)]).toEqual([[], before]);
  clock.advance(300);
  expect([told, ticker.at(1000)]).toEqual([['a', 'b'], before + 1000]);
  clock.advance(1000);
  expect(told).toHaveLength(4);
});

test('no listener: no timer is left', () => {
  const clock = handClock();
  const ticker = createTicker(clock);
  const leave = ticker.subscribe(1000, () => {});
  leave();
  expect(clock.timers.size).toBe(0);
});
