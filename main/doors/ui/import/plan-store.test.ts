import { expect, it } from 'vitest';
import { createPlanStore, type KeptPlan } from './plan-store.ts';

/** A clock whose timers a test runs by hand. */
function timers() {
  const waiting = new Set<() => void>();
  return {
    run: () => {
      for (const each of [...waiting]) {
        each();
      }
    },
    clock: {
      after: (_milliseconds: number, run: () => void) => {
        waiting.add(run);
        return { dispose: () => void waiting.delete(run) };
      },
    },
  };
}

const made = {} as Omit<KeptPlan, 'id'>;

it('keeps a few plans, the newest, and each is done once', () => {
  const store = createPlanStore({ clock: timers().clock });
  const ids = Array.from({ length: 6 }, () => store.keep(made).id);
  expect(() => store.get(ids[1] ?? '')).toThrow(/not kept/);
  expect(store.take(ids[5] ?? '').id).toBe(ids[5]);
  expect(() => store.take(ids[5] ?? '')).toThrow(/not kept/);
});

it('forgets a plan after a while', () => {
  const { clock, run } = timers();
  const store = createPlanStore({ clock });
  const { id } = store.keep(made);
  run();
  expect(() => store.get(id)).toThrow(/not kept/);
});
