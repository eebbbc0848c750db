import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createHistory } from '../../main/history/index.ts';
import type { Clock } from '../../main/ports/clock.ts';
import { silentLog } from '../../main/ports/log.ts';
import { makeYear, yearNames } from '../support/year-of-history.ts';
import type { Figures } from './figure.ts';
import { timeMedian } from './statistics.ts';

const dayMilliseconds = 86_400_000;
const clock: Clock = {
  now: Date.now,
  boottime: () => performance.now(),
  after: () => ({ dispose: () => undefined }),
};

/** What a year of one cluster costs to read, at the broker; test/support/year-of-history.ts makes it for a page, too. */
export async function* laneFigures({ rows, count }: { rows: number; count: number }): Figures {
  const folder = mkdtempSync(join(tmpdir(), 'ly-bench-'));
  try {
    const file = join(folder, 'history.db');
    const now = Date.now();
    makeYear(file, { rows, now });
    const history = createHistory({ file, clock, log: silentLog });
    const [cluster] = yearNames.clusters;
    const lane = (days: number) =>
      history.reader.lane({
        account: yearNames.account,
        audience: null,
        cluster,
        since: now - days * dayMilliseconds,
        until: now,
        now,
        most: 600,
      });
    const calls = () =>
      history.reader.callsOverTime({ cluster, since: now - 365 * dayMilliseconds, until: now, steps: 60 });
    // Once: what is on record is summed up.
    await calls();
    const year = await timeMedian(count, () => lane(365));
    const day = await timeMedian(count, () => lane(1));
    const yearOfCalls = await timeMedian(count, calls);
    await history.dispose();
    const of = `of ${rows.toLocaleString('en')} rows`;
    yield {
      what: `a cluster's lane, a year ${of}, at the broker: median`,
      value: year,
      unit: 'ms',
      reference: { what: 'a day', value: day },
      limit: { kind: 'atMost', value: 100 },
    };
    yield {
      what: `a cluster's calls over time, a year ${of}, at the broker: median`,
      value: yearOfCalls,
      unit: 'ms',
      reference: { what: 'its lane', value: year },
      limit: { kind: 'atMost', value: 250 },
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
