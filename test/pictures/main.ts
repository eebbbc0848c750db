import { join } from 'node:path';
import { launchChromium } from '../support/chromium.ts';
import type { Stage } from '../support/stage.ts';
import { type Camera, openCamera, type Theme } from './camera.ts';
import { openNewcomer, takeFirstSteps } from './newcomer.ts';
import { makePerson } from './person.ts';
import { takeViews } from './views.ts';
import { openWorld } from './world.ts';

/**
 * `npm run pictures`: writes docs/images, each view in both themes, from a real broker in use. The same command gives
 * the same pictures, but for the time of day. `npm run pictures -- FOLDER` writes them elsewhere.
 */
const themes: readonly Theme[] = ['light', 'dark'];
const folder = process.argv[2] ?? join(import.meta.dirname, '..', '..', 'docs', 'images');

await using stack = new AsyncDisposableStack();
const person = stack.use(makePerson());
const browser = stack.adopt(await launchChromium(), (each) => each.close());

async function inBothThemes(stage: Stage, take: (camera: Camera) => Promise<void>): Promise<void> {
  for (const theme of themes) {
    const lanyard = (args: readonly string[]) => stage.lanyard(args);
    const camera = await openCamera(browser, { theme, folder, lanyard });
    await take(camera);
    await camera.close();
  }
}

const newcomer = stack.adopt(await openNewcomer(person), (each) => each.dispose());
await inBothThemes(newcomer, takeFirstSteps);
const world = stack.adopt(await openWorld(person), (each) => each.dispose());
await inBothThemes(world.stage, (camera) => takeViews(camera, world));
