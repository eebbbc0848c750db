import { expect, test } from 'vitest';
import type { UiHandlers } from '../handlers.ts';
import { callLimits, limitCalls } from './limit-asking.ts';

/** A page that was taken over asks again and again (rule: bounded-input). */
test.each(Object.entries(callLimits))('%s: %j, and no more', async (name, { atOnce, perMinute }) => {
  let now = 0;
  let asked = 0;
  let ends: (() => void)[] = [];
  const handler = () => {
    asked += 1;
    return new Promise<void>((resolve) => ends.push(resolve));
  };
  const all = Object.fromEntries(Object.keys(callLimits).map((each) => [each, handler]));
  const calls = limitCalls(all as unknown as UiHandlers, callLimits, { boottime: () => now });
  const run = calls[name as keyof UiHandlers] as () => Promise<unknown>;
  const endAll = () => {
    for (const end of ends) {
      end();
    }
    ends = [];
  };
  while (asked < perMinute) {
    const some = Array.from({ length: Math.min(atOnce, perMinute - asked) }, run);
    if (some.length === atOnce) {
      await expect(run()).rejects.toMatchObject({ code: 'test.busy', reason: 'timedOut' });
    }
    endAll();
    await Promise.all(some);
  }
  await expect(run()).rejects.toMatchObject({ code: 'test.busy' });
  expect(asked).toBe(perMinute);
  now = 60_000;
  const later = run();
  endAll();
  await later;
  expect(asked).toBe(perMinute + 1);
});
