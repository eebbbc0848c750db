import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright';
import type { Ended } from '../support/processes.ts';
import { mustBeGood } from '../support/stage.ts';
import { smallPng } from './small-png.ts';

export type Theme = 'light' | 'dark';

/** A page of the UI in one theme, and what takes its pictures. */
export interface Camera {
  readonly theme: Theme;
  readonly page: Page;
  readonly context: BrowserContext;
  /** Goes to a view, and waits until a text of it is there. */
  go(hash: string, text: string | RegExp): Promise<void>;
  /** Writes `NAME-THEME.png` of this page, or of another. */
  take(name: string, page?: Page): Promise<void>;
  close(): Promise<void>;
}

export interface CameraOptions {
  theme: Theme;
  folder: string;
  lanyard(args: readonly string[]): Promise<Ended>;
}

const mostBytes = 150 * 1024;
const size = { width: 1240, height: 780 };

export async function openCamera(browser: Browser, options: CameraOptions): Promise<Camera> {
  const { theme, folder, lanyard } = options;
  const context = await browser.newContext({
    viewport: size,
    deviceScaleFactor: 1,
    colorScheme: theme,
    reducedMotion: 'reduce',
    locale: 'en-GB',
    timezoneId: afternoonZone(),
    ignoreHTTPSErrors: true,
  });
  context.setDefaultTimeout(15_000);
  const page = await context.newPage();
  const opened = await lanyard(['ui', '--no-open']);
  mustBeGood(opened);
  await page.goto(opened.stdout.trim());
  await page.waitForFunction(() => sessionStorage.getItem('lanyard.session') !== null);
  mkdirSync(folder, { recursive: true });
  return {
    theme,
    page,
    context,
    go: async (hash, text) => {
      await page.evaluate((to) => {
        window.location.hash = to;
      }, hash);
      await page.getByRole('main').getByText(text).filter({ visible: true }).first().waitFor();
    },
    take: async (name, of = page) => {
      await of.setViewportSize(size);
      // Over nothing that answers to it.
      await of.mouse.move(size.width - 1, 1);
      await settled(of);
      await takePicture(of, join(folder, `${name}-${theme}.png`));
    },
    close: () => context.close(),
  };
}

/** Writes what the page shows. Throws where that is too much for a README. */
export async function takePicture(page: Page, path: string): Promise<void> {
  const png = smallPng(await page.screenshot({ caret: 'hide', animations: 'disabled' }));
  writeFileSync(path, png);
  process.stdout.write(`${path}  ${Math.ceil(png.length / 1024)} KiB\n`);
  if (png.length > mostBytes) {
    throw new Error(`${path} is too large for a README`);
  }
}

/** Fonts are there, and two frames have been drawn since. */
async function settled(page: Page): Promise<void> {
  // The broker's own windows run no script: there is nothing to wait for.
  await page
    .evaluate(async () => {
      await document.fonts.ready;
      const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
      await frame();
      await frame();
    })
    .catch(() => undefined);
}

/** Where it is two o’clock in the afternoon: at whatever hour they are taken, the pictures show a working day. */
export function afternoonZone(): string {
  const west = new Date().getUTCHours() - 14;
  return `Etc/GMT${west < 0 ? '' : '+'}${west}`;
}
