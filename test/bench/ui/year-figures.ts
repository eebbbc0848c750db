import { setTimeout as delay } from 'node:timers/promises';
import type { Page } from 'playwright';
import { launchChromium } from '../../support/chromium.ts';
import { makeYear, yearNames } from '../../support/year-of-history.ts';
import type { Figure, Figures } from '../figure.ts';
import { startOwnBroker } from '../own-broker.ts';
import { median } from '../statistics.ts';
import { pageAddress } from './page-address.ts';

/** A year in a cluster's lane: from the choice of it to the frame in which it is drawn. */
export async function* yearFigures({ rows, rounds }: { rows: number; rounds: number }): Figures {
  await using browser = await launchChromium();
  await using broker = await startOwnBroker((home) => {
    home.writeConfig({
      version: 1,
      history: { keep: '400d' },
      accounts: { [yearNames.account]: { staticToken: {} } },
      clusters: Object.fromEntries(
        yearNames.clusters.map((name) => [
          name,
          { server: `https://${name}.example.com`, account: yearNames.account },
        ]),
      ),
    });
    makeYear(home.file('history'), { rows, now: Date.now() });
  });
  const page = await browser.newPage({ viewport: { width: 1240, height: 900 } });
  await page.goto(await pageAddress(broker.home));
  await page.getByRole('row', { name: yearNames.clusters[0] }).waitFor();
  yield await openYears(page, rows, rounds);
}

async function openYears(page: Page, rows: number, rounds: number): Promise<Figure> {
  await page.evaluate((to) => window.location.assign(to), `#/clusters/${yearNames.clusters[0]}`);
  await page.getByRole('tab', { name: 'Time' }).click();
  const year: number[] = [];
  const day: number[] = [];
  // The first one reads what the disk holds, and sums up what is on record.
  for (let round = -1; round < rounds; round++) {
    const times: number[] = [];
    for (const span of ['day', 'year']) {
      // From an hour, whose credentials fill no more than a corner of the others.
      await page.evaluate(whenDrawn, 'hour');
      await delay(500);
      times.push(await page.evaluate(whenDrawn, span));
      await delay(500);
    }
    if (round >= 0) {
      day.push(times[0] ?? 0);
      year.push(times[1] ?? 0);
    }
  }
  return {
    what: `a cluster's year of ${rows.toLocaleString('en')} rows, from the choice to the lane: median`,
    value: median(year),
    unit: 'ms',
    reference: { what: 'its day', value: median(day) },
    limit: { kind: 'atMost', value: 300 },
  };
}

/** Runs in the page: chooses the span, and waits until the lane's past reaches back to its beginning. */
function whenDrawn(span: string): Promise<number> {
  const group = document.querySelector('[role=group][aria-label^="Timeline"]');
  const choice = [...document.querySelectorAll('select')].find((each) =>
    [...each.options].some(({ value }) => value === 'year'),
  );
  if (!group || !choice) {
    throw new Error('the lane is not in sight');
  }
  const isDrawn = () => {
    const line = group.querySelector('svg');
    const past = line?.querySelector('path')?.getBBox();
    // From the far end on, and over most of what is past: 7 of 10 parts.
    return line && past && past.x < 30 && past.width > line.clientWidth * 0.6;
  };
  return new Promise((resolve) => {
    const start = performance.now();
    Object.getOwnPropertyDescriptor(HTMLSelectElement.prototype, 'value')?.set?.call(choice, span);
    choice.dispatchEvent(new Event('change', { bubbles: true }));
    const look = () =>
      isDrawn() ? setTimeout(() => resolve(performance.now() - start)) : requestAnimationFrame(look);
    requestAnimationFrame(look);
  });
}
