import type { Browser } from 'playwright-core';
import { launchChromium } from '../support/chromium.ts';
import type { TestHome } from '../support/home.ts';
import { rendererWeight } from '../support/renderer-weight.ts';
import type { Figure } from './figure.ts';
import { median } from './statistics.ts';
import { livingFigures } from './ui/living-figures.ts';
import { manyClusters, setTokens } from './ui/many-clusters.ts';
import { pageAddress } from './ui/page-address.ts';
import { servePlainPage } from './ui/plain-page.ts';
import { timeLoad } from './ui/time-to-key.ts';
import { yearFigures } from './ui/year-figures.ts';
import { withBroker } from './with-broker.ts';

const clusters = 1000;
const kibibyte = 1024;

/** How much is measured. */
export interface UiFigureOptions {
  /** How often a page is loaded, and how often a cluster's year is opened. */
  rounds: number;
  events: number;
  tickingMilliseconds: number;
  rows: number;
}

/** What the page costs in Chromium, with 1,000 clusters and with a year of history. */
export async function uiFigures(options: UiFigureOptions): Promise<Figure[]> {
  await using browser = await launchChromium();
  const ofMany = await withBroker(
    async (home, agent) => {
      await setTokens(home, clusters);
      return [
        ...(await loadFigures(home, browser, options.rounds)),
        ...(await livingFigures(home, agent, browser, options)),
      ];
    },
    (home) => home.writeConfig(manyClusters(clusters)),
  );
  return [...ofMany, ...weightFigures(), ...(await yearFigures(browser, options))];
}

async function loadFigures(home: TestHome, browser: Browser, rounds: number): Promise<Figure[]> {
  using plain = await servePlainPage();
  const ours: number[] = [];
  const others: number[] = [];
  // Once each: what the browser keeps of any page, compiled code among it, is there on any other day.
  for (let round = -1; round < rounds; round++) {
    const mine = await timeLoad(browser, await pageAddress(home));
    const other = await timeLoad(browser, plain.address);
    if (round >= 0) {
      ours.push(mine.answered);
      others.push(other.answered);
    }
  }
  return [
    {
      what: `page with ${clusters.toLocaleString('en')} clusters, load to a key answered: median`,
      value: median(ours),
      unit: 'ms',
      reference: { what: 'a plain page of 30 rows', value: median(others) },
      limit: { kind: 'atMost', value: 500 },
    },
  ];
}

function weightFigures(): Figure[] {
  const { whole, firstView } = rendererWeight();
  return [
    {
      what: 'page, gzipped, all of it',
      value: whole / kibibyte,
      unit: 'KB',
      reference: null,
      limit: { kind: 'atMost', value: 350 },
    },
    {
      what: 'page, gzipped, what the list of clusters needs',
      value: firstView / kibibyte,
      unit: 'KB',
      reference: { what: 'all of it', value: whole / kibibyte },
      limit: { kind: 'atMost', value: 150 },
    },
  ];
}
