import { setTimeout as delay } from 'node:timers/promises';
import type { Browser, Page } from 'playwright';
import type { TestHome } from '../../support/home.ts';
import type { BenchAgent } from '../bench-agent.ts';
import type { Figure, Figures } from '../figure.ts';
import { median } from '../statistics.ts';
import { ask, clusterName } from './many-clusters.ts';
import { pageAddress } from './page-address.ts';
import { type PlainPage, servePlainPage } from './plain-page.ts';
import { browserProcesses, processMilliseconds } from './process-time.ts';

const minute = 60_000;
/** As many rows as events are looked for, and room for the column that says who asked. */
const viewport = { width: 1680, height: 1500 };

export interface LivingOptions {
  events: number;
  restMilliseconds: number;
  tickingMilliseconds: number;
}

/** An open list of clusters: what happens is seen in it, then it ticks in peace. */
export async function* livingFigures(
  home: TestHome,
  agent: BenchAgent,
  browser: Browser,
  { events, ...ticking }: LivingOptions,
): Figures {
  using plain = await servePlainPage();
  const context = await browser.newContext({ viewport });
  try {
    const page = await context.newPage();
    await page.goto(await pageAddress(home));
    await page.getByRole('row', { name: clusterName(0) }).waitFor();
    const renderer = await rendererOf(browser, page);
    yield await eventFigure(home, page, events);
    yield* tickingFigures({ browser, plain, renderer, agent }, ticking);
  } finally {
    await context.close();
  }
}

/** The page's own process: that which computes when the page is made to. A browser has spare ones beside it. */
async function rendererOf(browser: Browser, page: Page): Promise<number> {
  const renderers = (await browserProcesses(browser)).filter(({ type }) => type === 'renderer');
  const before = renderers.map(({ id }) => processMilliseconds(id));
  await page.evaluate(() => {
    const end = performance.now() + 500;
    while (performance.now() < end);
  });
  const [busiest] = renderers
    .map(({ id }, index) => ({ id, took: processMilliseconds(id) - (before[index] ?? 0) }))
    .sort((a, b) => b.took - a.took);
  if (!busiest) {
    throw new Error('the page has no process');
  }
  return busiest.id;
}

/**
 * From the start of a helper's call to the frame in which the page shows who asked, a call for another cluster each time.
 * Both moments are of the machine's one clock.
 */
async function eventFigure(home: TestHome, page: Page, events: number): Promise<Figure> {
  const seen: number[] = [];
  const calls: number[] = [];
  for (let index = 0; index < events; index++) {
    // A person's calls come alone: the broker and the page have nothing else to do.
    await delay(1000 + (index % 7) * 50);
    await page
      .getByRole('row', { name: clusterName(index) })
      .getByText('never used')
      .waitFor();
    // It stands ready before the call begins; the promise itself stays in the page.
    const shown = await page.evaluateHandle(whenAsked, clusterName(index));
    const start = Date.now();
    await ask(home, index);
    calls.push(Date.now() - start);
    seen.push((await shown.evaluate(({ at }) => at)) - start);
  }
  return {
    what: `a call on screen, from the helper's start (median of ${events})`,
    value: median(seen),
    unit: 'ms',
    reference: { what: 'the call itself', value: median(calls) },
    limit: { kind: 'atMost', value: 100 },
  };
}

/** Runs in the page: the moment of the frame in which the row says more than that nobody asked yet. */
function whenAsked(name: string): { at: Promise<number> } {
  const at = new Promise<number>((resolve, reject) => {
    const row = [...document.querySelectorAll('[role=row]')].find((each) => each.textContent?.includes(name));
    if (!row?.textContent?.includes('never used')) {
      reject(new Error(`${name} is not in sight, or somebody asked before`));
      return;
    }
    const observer = new MutationObserver(() => {
      if (!row.textContent?.includes('never used')) {
        observer.disconnect();
        requestAnimationFrame(() => setTimeout(() => resolve(Date.now())));
      }
    });
    observer.observe(row, { subtree: true, childList: true, characterData: true });
  });
  return { at };
}

interface Ticking {
  browser: Browser;
  plain: PlainPage;
  renderer: number;
  agent: BenchAgent;
}

/** What the page's process and the broker compute while nothing happens but time; a plain page ticks beside them. */
async function* tickingFigures(
  { browser, plain, renderer, agent }: Ticking,
  { restMilliseconds, tickingMilliseconds: milliseconds }: Omit<LivingOptions, 'events'>,
): Figures {
  const context = await browser.newContext();
  try {
    const page = await context.newPage();
    await page.goto(plain.address);
    const reference = await rendererOf(browser, page);
    // What loading left to do is done, and what was called is some seconds ago.
    await delay(restMilliseconds);
    const pids = [renderer, reference, agent.pid];
    const start = performance.now();
    const then = pids.map(processMilliseconds);
    await delay(milliseconds);
    const took = performance.now() - start;
    const [ours = 0, others = 0, brokers = 0] = pids.map(
      (pid, index) => ((processMilliseconds(pid) - (then[index] ?? 0)) / took) * 100,
    );
    const span = milliseconds === minute ? 'a ticking minute' : `${milliseconds / 1000} ticking seconds`;
    yield {
      what: `${span} of the list, the page's process`,
      value: ours,
      unit: '% of a core',
      reference: { what: 'a plain page that ticks', value: others },
      limit: { kind: 'atMost', value: 2 },
    };
    yield {
      what: `${span} of the list, the broker`,
      value: brokers,
      unit: '% of a core',
      reference: { what: 'the page', value: ours },
      limit: { kind: 'atMost', value: 2 },
    };
  } finally {
    await context.close();
  }
}
