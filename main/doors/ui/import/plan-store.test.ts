import { expect, it } from 'vitest';
import { refuse } from '../../../contract/refusal.ts';
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

const vault = { onChange: () => ({ dispose: () => undefined }) };
const gate = () => null;
const made = {} as Omit<KeptPlan, 'id'>;

it('keeps a few plans, the newest, and each is done once', () => {
  const store = createPlanStore({ clock: timers().clock, vault, gate });
  const ids = Array.from({ length: 6 }, () => store.keep(made).id);
  expect(() => store.get(ids[1] ?? '')).toThrow(/not kept/);
  expect(store.take(ids[5] ?? '').id).toBe(ids[5]);
  expect(() => store.take(ids[5] ?? '')).toThrow(/not kept/);
});

it('forgets a plan after a while', () => {
  const { clock, run } = timers();
  const store = createPlanStore({ clock, vault, gate });
  const { id } = store.keep(made);
  run();
  expect(() => store.get(id)).toThrow(/not kept/);
});

it('forgets all when the vault locks, and keeps nothing until it is open', () => {
  const listeners = new Set<() => void>();
  let locked: ReturnType<typeof gate> | ReturnType<typeof refuse> = null;
  const store = createPlanStore({
    clock: timers().clock,
    vault: {
      onChange: (listener) => {
        listeners.add(listener);
        return { dispose: () => void listeners.delete(listener) };
      },
    },
    gate: () => locked,
  });
  const change = () => {
    for (const each of listeners) {
      each();
    }
  };
  const { id } = store.keep(made);
  change();
  expect(store.get(id).id).toBe(id);
  locked = refuse('locked', 'vault.locked', 'lanyard is locked');
  expect(() => store.keep(made)).toThrow('locked');
  change();
  locked = null;
  expect(() => store.get(id)).toThrow(/not kept/);
  store.dispose();
  expect(listeners.size).toBe(0);
});

it('drops one before its time, and none twice', () => {
  const store = createPlanStore({ clock: timers().clock, vault, gate });
  const { id } = store.keep(made);
  store.drop(id);
  store.drop(id);
  expect(() => store.get(id)).toThrow(/not kept/);
});
