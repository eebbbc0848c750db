import { setImmediate as turn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { ManualClock } from '../../../test/support/manual-clock.ts';
import type { Areas } from '../areas.ts';
import { entryCalls } from './entries.ts';

it.each(['entry.setApproval', 'entry.remove', 'entry.putBack'] as const)(
  '%s waits while changes of many entries have used the thread',
  async (name) => {
    const clock = new ManualClock();
    const state = () => {
      clock.advance(9_000);
      return { kind: 'none' };
    };
    const config = {
      onChange: () => undefined,
      current: () => ({ clusters: new Map(), accounts: new Map() }),
      entries: async () => new Map(),
    };
    const calls = entryCalls({
      deps: { config, vault: { state }, clock },
      served: { bindings: {} },
      records: {},
    } as unknown as Areas);
    const context = { signal: new AbortController().signal, progress: () => undefined };
    const many = { kind: 'cluster' as const, names: ['prod'], approval: 'always', undo: 'none' };
    await expect(calls['entry.setApproval'](many, context)).rejects.toThrow();
    let isOver = false;
    const next = calls[name](many, context).catch(() => {
      isOver = true;
    });
    for (let each = 0; each < 20; each++) {
      await turn();
    }
    expect(isOver).toBe(false);
    clock.advance(60_000);
    await next;
    expect(isOver).toBe(true);
  },
);
