import { launchChromium } from '../support/chromium.ts';
import type { TestHome } from '../support/home.ts';
import { rendererWeight } from '../support/renderer-weight.ts';
import type { Figure, Figures } from './figure.ts';
import { startOwnBroker } from './own-broker.ts';
import { median } from './statistics.ts';
import { type BareBrowser, startBareBrowser } from './ui/bare-browser.ts';
import { filterTimes } from './ui/filter-time.ts';
import { livingFigures } from './ui/living-figures.ts';
import { manyClusters, setTokens } from './ui/many-clusters.ts';
import { pageAddress } from './ui/page-address.ts';
import { servePlainPage } from './ui/plain-page.ts';
import { timeLoad } from './ui/time-to-key.ts';

const clusters = 2000;
/** `c1` finds half of them, `c199` ten. */
const searched = 'c199';
/** At 60 Hz. */
const frameMilliseconds = 16.7;
const kibibyte = 1024;

/** How much is measured. */
export interface PageFigureOptions {
  /** How often a page is loaded. */
  rounds: number;
  events: number;
  /** Between what happens and the time in which nothing does. */
  restMilliseconds: number;
  tickingMilliseconds: number;
}

/** What the page costs in Chromium, with 2,000 clusters. */
export async function* pageFigures(options: PageFigureOptions): Figures {
  await using browser = await launchChromium();
  await using bare = await startBareBrowser();
  await using broker = await startOwnBroker((home) => home.writeConfig(manyClusters(clusters)));
  const { home, agent } = broker;
  await setTokens(home, clusters);
  yield await loadFigure(home, bare, options.rounds);
  yield await filterFigure(home, bare, options.rounds);
  yield* livingFigures(home, agent, browser, options);
}

async function loadFigure(home: TestHome, browser: BareBrowser, rounds: number): Promise<Figure> {
  using plain = await servePlainPage();
  const ours: number[] = [];
  const others: number[] = [];
  // Once each: the broker has compiled what it needs on any other day.
  for (let round = -1; round < rounds; round++) {
    const mine = await timeLoad(browser, await pageAddress(home));
    const other = await timeLoad(browser, plain.address);
    if (round >= 0) {
      ours.push(mine.answered);
      others.push(other.answered);
    }
  }
  return {
    what: `page with ${clusters.toLocaleString('en')} clusters, load to a key answered: median`,
    value: median(ours),
    unit: 'ms',
    reference: { what: 'a plain page of 30 rows', value: median(others) },
    limit: { kind: 'atMost', value: 500 },
  };
}

/** Every key counts, of a word that is typed and taken away again, with the code as the first keys find it. */
async function filterFigure(home: TestHome, browser: BareBrowser, rounds: number): Promise<Figure> {
  using plain = await servePlainPage();
  const ours: number[] = [];
  const others: number[] = [];
  for (let round = 0; round < rounds; round++) {
    ours.push(...(await filterTimes(browser, await pageAddress(home), searched)));
    others.push(...(await filterTimes(browser, plain.address, searched)));
  }
  return {
    what: `a key in the search of ${clusters.toLocaleString('en')} clusters, until its answer is laid out: median`,
    value: median(ours),
    unit: 'ms',
    reference: { what: 'a plain page of 30 rows', value: median(others) },
    limit: { kind: 'atMost', value: frameMilliseconds },
  };
}

/** What the page weighs as it is served. */
export async function* weightFigures(): Figures {
  const { whole, firstView } = rendererWeight();
  yield {
    what: 'page, gzipped, all of it',
    value: whole / kibibyte,
    unit: 'KB',
    reference: null,
    limit: { kind: 'atMost', value: 400 },
  };
  yield {
    what: 'page, gzipped, what the list of clusters needs',
    value: firstView / kibibyte,
    unit: 'KB',
    reference: { what: 'all of it', value: whole / kibibyte },
    limit: { kind: 'atMost', value: 150 },
  };
}
