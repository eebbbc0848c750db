import { setImmediate as turn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import type { HistoryFigures, Lane } from '../../../ports/history-figures.ts';
import { createHistoryCalls, type HistoryCallsDeps } from './history-calls.ts';

it('reads lane after lane, and lets programs have their turn between them', async () => {
  const clusters = Array.from({ length: 100 }, (_, index) => `c${index}`);
  const events: string[] = [];
  const reader: Pick<HistoryFigures, 'lane'> = {
    // The file is read by this thread, at once.
    async lane({ cluster }): Promise<Lane> {
      events.push(cluster);
      return { segments: [], marks: [] };
    },
  };
  const known = new Map(clusters.map((name) => [name, { config: { account: 'a' } }]));
  const calls = createHistoryCalls({
    config: { current: () => ({ clusters: known }) },
    history: { reader },
    clock: { now: () => 0 },
  } as unknown as HistoryCallsDeps);
  const { signal } = new AbortController();
  const lanes = calls.lanes(
    { clusters, since: 0, until: 1, most: 10 },
    { signal, progress: () => undefined },
  );
  let isOver = false;
  void lanes.then(() => {
    isOver = true;
  });
  // A program's request is heard when the event loop comes round.
  while (!isOver) {
    events.push('kubectl');
    await turn();
  }
  const between = events.join(' ').match(/c\d+ kubectl(?= c\d+)/g) ?? [];
  expect(between.length).toBeGreaterThanOrEqual(90);
  expect(Object.keys((await lanes).lanes)).toEqual(clusters);
});
