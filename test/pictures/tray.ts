import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'playwright';
import { type TrayShape, trayShapes } from '../../app/tray/tray-state.ts';
import { type TrayGround, traySvg } from '../../scripts/icon-drawings.ts';
import { takePicture } from './camera.ts';

const words: Readonly<Record<TrayShape, string>> = {
  good: 'all well',
  soon: 'ending soon',
  need: 'needs you',
  bad: 'trouble',
  locked: 'locked',
};

/** A panel: its colours, and which drawing it has there. */
const panels: readonly { ground: TrayGround; back: string; text: string }[] = [
  { ground: 'light', back: '#f3f3f3', text: '#30343a' },
  { ground: 'dark', back: '#1b1b1f', text: '#d6d9de' },
];

/** The tray's icon in all its shapes, on a light and on a dark panel: large, and as large as a tray has it. */
export async function takeTray(browser: Browser, folder: string): Promise<void> {
  const context = await browser.newContext({ viewport: { width: 620, height: 224 }, deviceScaleFactor: 2 });
  const page = await context.newPage();
  const picture = (shape: TrayShape, ground: TrayGround, size: number) =>
    `<img width="${size}" height="${size}" src="data:image/svg+xml;base64,${Buffer.from(traySvg(shape, ground)).toString('base64')}">`;
  const rows = panels.map(({ ground, back, text }) => {
    const cells = trayShapes.map(
      (shape) =>
        `<div>${picture(shape, ground, 40)}${picture(shape, ground, 16)}<span>${words[shape]}</span></div>`,
    );
    return `<section style="background:${back};color:${text}">${cells.join('')}</section>`;
  });
  await page.setContent(`<style>
    body { margin: 0; font: 13px system-ui, sans-serif; }
    section { display: grid; grid-template-columns: repeat(5, 1fr); height: 112px; align-items: center; }
    div { display: grid; grid-template: 48px 24px / auto auto; gap: 0 12px; place-content: center; place-items: center; }
    span { grid-column: 1 / 3; }
  </style>${rows.join('')}`);
  mkdirSync(folder, { recursive: true });
  await takePicture(page, join(folder, 'tray.png'));
  await context.close();
}
