import { join } from 'node:path';
import { launchChromium } from '../support/chromium.ts';
import { noSoftHsm } from '../support/keys/softhsm.ts';
import type { Stage } from '../support/stage.ts';
import { type Camera, openCamera, type Theme } from './camera.ts';
import { openDesktopWorld, takeDialogs, takeSettings, takeWanted } from './desktop.ts';
import { openNewcomer, takeFirstSteps } from './newcomer.ts';
import { makePerson } from './person.ts';
import { openTokenWorld, takeToken } from './token.ts';
import { takeTray } from './tray.ts';
import { takeViews } from './views.ts';
import { openWorld } from './world.ts';

/**
 * `npm run pictures`: writes docs/images, each view in both themes, from a real broker in use. The same command gives
 * the same pictures, but for the time of day. `npm run pictures -- FOLDER` writes them elsewhere.
 */
const themes: readonly Theme[] = ['light', 'dark'];
const folder = process.argv[2] ?? join(import.meta.dirname, '..', '..', 'docs', 'images');

await using stack = new AsyncDisposableStack();
const browser = stack.adopt(await launchChromium(), (each) => each.close());

async function inBothThemes(stage: Stage, take: (camera: Camera) => Promise<void>): Promise<void> {
  for (const theme of themes) {
    const lanyard = (args: readonly string[]) => stage.lanyard(args);
    const camera = await openCamera(browser, { theme, folder, lanyard });
    await take(camera);
    await camera.close();
  }
}

await takeTray(browser, folder);
{
  using person = makePerson();
  await using here = new AsyncDisposableStack();
  const world = here.adopt(await openDesktopWorld(person), (each) => each.dispose());
  await inBothThemes(world.stage, async (camera) => {
    await takeSettings(camera);
    await takeWanted(camera, world);
  });
  await takeDialogs(browser, folder, world);
}
{
  using person = makePerson();
  await using here = new AsyncDisposableStack();
  const newcomer = here.adopt(await openNewcomer(person), (each) => each.dispose());
  await inBothThemes(newcomer, takeFirstSteps);
  const world = here.adopt(await openWorld(person), (each) => each.dispose());
  await inBothThemes(world.stage, (camera) => takeViews(camera, world));
}
if (noSoftHsm === null) {
  using person = makePerson();
  await using here = new AsyncDisposableStack();
  const world = here.adopt(await openTokenWorld(person), (each) => each.dispose());
  await inBothThemes(world.stage, (camera) => takeToken(camera, world));
}
