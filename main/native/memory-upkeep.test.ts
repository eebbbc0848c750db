import { expect, it } from 'vitest';
import { ManualClock } from '../../test/support/manual-clock.ts';
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
