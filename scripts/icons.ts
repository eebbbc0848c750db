/** Draws the pictures of app/icons anew: `npm run icons`. They are committed, since a build has no Chromium. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { launchChromium } from '../test/support/chromium.ts';
import { type Drawn, drawPicture } from '../test/support/draw-picture.ts';
import { icoFile } from './ico-file.ts';
import { iconFiles } from './icon-files.ts';

const folder = join(import.meta.dirname, '..', 'app', 'icons');
const browser = await launchChromium();
try {
  const page = await browser.newPage();
  rmSync(folder, { recursive: true, force: true });
  for (const { path, svg, sizes } of iconFiles()) {
    const drawn: Drawn[] = [];
    for (const size of sizes) {
      drawn.push(await drawPicture(page, svg, size));
    }
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, path.endsWith('.ico') ? icoFile(drawn) : (drawn[0]?.png ?? ''));
  }
} finally {
  await browser.close();
}
