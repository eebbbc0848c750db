import { setImmediate as turn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { ManualClock } from '../../../test/support/manual-clock.ts';
import { fewAtATime } from './few-at-a-time.ts';
import type { UiHandlers } from './handlers.ts';
import { createWorkBudget } from './work-budget.ts';

/** A page asks again as soon as it has its answer; each takes the thread for so long. */
function setUp(milliseconds: number) {
  const clock = new ManualClock();
  const events: string[] = [];
  const handlers: Pick<UiHandlers, 'metrics.text'> = fewAtATime(
    1,
    {
      'metrics.text': async (_input, _context) => {
        events.push('page');
        clock.advance(milliseconds);
        return { text: '' };
      },
    },
    ['metrics.text'],
    createWorkBudget({ atOnce: 4_000, share: 0.25 }, clock),
  );
  const leaving = new AbortController();
  const call = () => handlers['metrics.text']({}, { signal: leaving.signal, progress: () => undefined });
  return { clock, events, leaving, call };
}

async function turns() {
  for (let each = 0; each < 20; each++) {
    await turn();
  }
}

it('leaves the thread to others between the calls of a page that asks in a loop', async () => {
  const { clock, events, leaving, call } = setUp(2_000);
  const loop = (async () => {
    for (;;) {
      await call();
    }
  })();
  loop.catch(() => undefined);
  await turns();
  // The user’s burst is used up.
  expect(events).toEqual(['page', 'page', 'page']);
  for (let second = 0; second < 40; second++) {
    events.push('kubectl');
    clock.advance(1_000);
    await turns();
  }
  const after = events.slice(3);
  expect(after.filter((each) => each === 'page').length).toBeLessThanOrEqual(40 / 6);
  expect(after.join(' ')).not.toContain('page page');
  leaving.abort(new Error('the page is gone'));
  await expect(loop).rejects.toThrow('the page is gone');
});

it('is not noticed by an occasional caller', async () => {
  const { clock, events, call } = setUp(2_000);
  for (let each = 0; each < 5; each++) {
    await call();
    clock.advance(10_000);
  }
  expect(events).toHaveLength(5);
});

it('lets go of who doesn’t want the answer any more while it waits', async () => {
  const { clock, events, leaving, call } = setUp(9_000);
  await call();
  const waiting = call();
  await turns();
  leaving.abort(new Error('the page is gone'));
  await expect(waiting).rejects.toThrow('the page is gone');
  clock.advance(3_600_000);
  await turns();
  expect(events).toEqual(['page']);
});
