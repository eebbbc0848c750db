import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright';

const places = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** Heap snapshots with whole texts: a secret may stand at the end of a long one. */
export const wholeTexts = '--js-flags=--heap-snapshot-string-limit=100000000';

const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  wholeTexts,
];

/** How long a page's step may take on a busy machine, in milliseconds: it only ends what hangs. */
export const stepMilliseconds = 120_000;

/** The system's Chromium, headless. Throws, with what to install, where there is none. */
export async function launchChromium(): Promise<Browser> {
  const [executablePath, ...args] = chromiumCommand();
  const browser = await chromium.launch({ executablePath, args, timeout: stepMilliseconds });
  const newContext = browser.newContext.bind(browser);
  browser.newContext = async (options) => {
    const context = await newContext(options);
    context.setDefaultTimeout(stepMilliseconds);
    return context;
  };
  return browser;
}

/** Its program, and the flags that all use. */
export function chromiumCommand(): [program: string, ...args: string[]] {
  const program = places.find((place) => existsSync(place));
  if (program === undefined) {
    throw new Error('these tests need Chromium: scripts/setup.sh test (Debian: apt-get install chromium)');
  }
  return [program, ...flags];
}
