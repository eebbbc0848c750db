import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'playwright';
import { openDialogPage } from '../e2e/support/dialog-page.ts';
import { type DesktopStage, openDesktopStage } from '../support/electron/desktop-stage.ts';
import { builtHelper } from '../support/home.ts';
import { kubeconfigText } from '../support/kubeconfig.ts';
import { start } from '../support/processes.ts';
import { startOnTerminal } from '../support/pty.ts';
import { mustBeGood, until } from '../support/stage.ts';
import { type Camera, takePicture } from './camera.ts';
import type { Person } from './person.ts';
import { openWorld, type World } from './world.ts';

/** The same world around the desktop app, on the stand-in of Electron. */
export interface DesktopWorld extends World {
  desktop: DesktopStage;
}

export async function openDesktopWorld(person: Person): Promise<DesktopWorld> {
  await using stack = new AsyncDisposableStack();
  let desktop: DesktopStage | null = null;
  const world = stack.adopt(
    await openWorld(person, async (options) => {
      const agent = { ...options.agent, env: { ...options.agent?.env, HOME: person.home } };
      const opened = stack.adopt(await openDesktopStage({ ...options, agent }), (each) => each.dispose());
      desktop = opened;
      return opened.stage;
    }),
    (each) => each.dispose(),
  );
  if (!desktop) {
    throw new Error('no app was started');
  }
  const kept = stack.move();
  return { ...world, desktop, dispose: () => kept.disposeAsync() };
}

/** What pages have in the app alone. */
export async function takeSettings(camera: Camera): Promise<void> {
  await camera.go('#/settings', 'This app');
  await camera.page.getByText('Command line tools').first().waitFor();
  await camera.take('settings');
}

/** A program without a terminal wants a login, and waits for it. */
export async function takeWanted(camera: Camera, { stage, env }: World): Promise<void> {
  const asking = start('bash', ['-c', '"$K" --context staging-us get pods; true'], {
    env: { ...stage.home.env, ...env },
  });
  asking.closeInput();
  try {
    await camera.go('#/accounts', /kubectl .*waits/);
    await camera.take('accounts');
  } finally {
    await asking.dispose();
  }
}

/** The dialogs, in real Chromium: each as a person comes to it, and as it looks in both themes. */
export async function takeDialogs(browser: Browser, folder: string, world: DesktopWorld): Promise<void> {
  const { stage, desktop, env } = world;
  const choose = async (line: RegExp) => {
    const find = async () => (await desktop.desktop().tray()).menu.find((each) => line.test(each));
    await desktop.desktop().choose(await until(find, `${line}`));
  };
  const take = async (name: string, end: string) => {
    const dialog = await openDialogPage(desktop.app(), browser);
    for (const colorScheme of ['light', 'dark'] as const) {
      await dialog.page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await takePicture(dialog.page, join(folder, `dialog-${name}-${colorScheme}.png`));
    }
    await dialog.page.getByRole('button', { name: end, exact: true }).click();
    await dialog.page.getByRole('button').waitFor({ state: 'detached' });
    await dialog.close();
  };
  const asking = async (context: string, file: string, sign: string, look: () => Promise<void>) => {
    const terminal = startOnTerminal('bash', ['-c', `"$K" --context ${context} get pods; true`], {
      env: { ...stage.home.env, ...env, KUBECONFIG: file, TERM: 'xterm' },
    });
    try {
      await terminal.waitForText(sign);
      await look();
    } finally {
      await terminal.dispose();
    }
  };

  await asking('prod-ap', env['KUBECONFIG'] ?? '', '[y/N]', async () => {
    await choose(/wants to use prod-ap…$/);
    await take('approval', 'Deny');
  });
  await asking('test', strangersFile(world), 'Add it to config.yaml', async () => {
    await choose(/wants to use an unknown server…$/);
    await take('server', 'Deny');
  });
  const text = readFileSync(stage.home.file('config'), 'utf8');
  stage.home.writeConfig(text.replace('"approval": "perTerminal"', '"approval": "15m"'));
  await choose(/^Approve 1 change…$/);
  await take('confirm', 'Not now');
  stage.home.writeConfig(text);
  await askForSecret(browser, world);
  await take('secret', 'Cancel');
  await stage.lanyard(['lock']);
  await choose(/^Unlock…$/);
  await take('unlock', 'Cancel');
}

/** A page asks for the dialog that takes a secret, and learns nothing of it. */
async function askForSecret(browser: Browser, { stage }: World): Promise<void> {
  const opened = await stage.lanyard(['ui', '--no-open']);
  mustBeGood(opened);
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(opened.stdout.trim());
  await page.getByRole('link', { name: 'Accounts' }).click();
  await page.getByText('vendor', { exact: true }).first().click();
  await page.getByRole('button', { name: /^Replace…/ }).click();
  await page.getByRole('button', { name: /^Replace…/, disabled: false }).waitFor();
  await context.close();
}

/** A kubeconfig for a server that nobody has named to Lanyard. */
function strangersFile({ stage }: World): string {
  const server = 'https://10.40.0.1:6443';
  const exec = {
    apiVersion: 'client.authentication.k8s.io/v1',
    command: builtHelper,
    args: ['kube-credential', '--account', 'corp'],
    provideClusterInfo: true,
  };
  return stage.home.write('stranger.yaml', kubeconfigText({ server, caPem: stage.api.caPem }, { exec }));
}
