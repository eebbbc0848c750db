import { expect, it } from 'vitest';
import { ManualClock } from '../../../test/support/manual-clock.ts';
import { createMemoryUpkeep } from './memory-upkeep.ts';

it('releases while there is work and once after it, and not while nothing happens', () => {
  const clock = new ManualClock();
  let worked = 0;
  let released = 0;
  const upkeep = createMemoryUpkeep({
    clock,
    release: () => {
      released += 1;
    },
    collect: () => undefined,
    heapBytes: () => 0,
    processorTime: () => worked,
  });
  clock.advance(5_000);
  expect(released).toBe(0);
  worked += 2_000_000;
  clock.advance(5_000);
  worked += 200_000;
  clock.advance(5_000);
  expect(released).toBe(2);
  for (let i = 0; i < 100; i++) {
    worked += 500; // its own timers
    clock.advance(5_000);
  }
  expect(released).toBe(2);
  void upkeep.dispose();
  expect(clock.pending).toBe(0);
});

it('has the heap looked through when a large work is over, and not again for what is needed', () => {
  const clock = new ManualClock();
  const mebibyte = 1024 * 1024;
  let [worked, heap, collected] = [0, 10 * mebibyte, 0];
  const upkeep = createMemoryUpkeep({
    clock,
    release: () => undefined,
    collect: () => {
      collected += 1;
      heap = 60 * mebibyte;
      worked += 2_000_000; // its own time is no work
    },
    heapBytes: () => heap,
    processorTime: () => worked,
  });
  clock.advance(5_000);
  expect(collected).toBe(0);
  worked += 2_000_000;
  heap = 300 * mebibyte;
  clock.advance(5_000);
  expect(collected).toBe(0);
  clock.advance(5_000);
  expect(collected).toBe(1);
  heap += 20 * mebibyte;
  clock.advance(50_000);
  expect(collected).toBe(1);
  heap += 20 * mebibyte;
  clock.advance(5_000);
  expect(collected).toBe(2);
  void upkeep.dispose();
});
