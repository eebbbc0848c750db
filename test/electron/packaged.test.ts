import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FuseState, FuseV1Options, getCurrentFuseWire } from '@electron/fuses';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exitCodes } from '../../main/contract/exit-codes.ts';
import { packageApp } from '../real-electron/package-app.ts';
import { agentOf } from '../support/agent.ts';
import { electronForTests } from '../support/electron-for-tests.ts';
import { baseEnvironment, run, start } from '../support/processes.ts';
import { type Stage, until } from '../support/stage.ts';
import { unless } from '../support/unless.ts';
import { unlock } from '../support/unlock.ts';
import type { Desk } from './support/desk.ts';
import { type DesktopStage, openDesktopStage } from './support/desktop-stage.ts';

/*
 * The app as electron-builder packages it with a real Electron: its archive, fuses and resources. An older Electron, so
 * with what test/real-electron puts into the archive.
 */
const isOlder = electronForTests(process.env)?.is === 'older';
// Short: with a long path electron-builder finds no packages.
const folder = isOlder ? mkdtempSync(join(tmpdir(), 'ly-packaged-')) : '';
const unpacked = join(folder, 'out', 'linux-unpacked');
const program = join(unpacked, 'lanyard-desktop');
const helper = join(unpacked, 'resources', 'bin', 'lanyard');

describe('a packaged app', unless(isOlder ? null : 'packaged with the older Electron alone'), () => {
  let person: DesktopStage;
  let desk: Desk;
  let stage: Stage;
  let env: Record<string, string | undefined>;
  const again = (words: readonly string[], more: Record<string, string> = {}) =>
    run(program, words, { env: { ...env, ...more } });

  beforeAll(async () => {
    packageApp(folder);
    person = await openDesktopStage(async ({ home, passphrase, env: ofDesk }) => {
      const display = process.env['DISPLAY'] ?? '';
      env = { ...baseEnvironment(), ...ofDesk, ...home.env, DISPLAY: display };
      const began = performance.now();
      const running = start(program, ['--hidden'], { env });
      running.closeInput();
      await running.waitForLine(/"app\.ready"/);
      await unlock(home, passphrase);
      return agentOf(running, began);
    });
    ({ desk, stage } = person);
  });
  afterAll(async () => {
    await person?.dispose();
    rmSync(folder, { recursive: true, force: true });
  });

  it('has the fuses of electron-builder.yml, but for the one that this Electron lacks', async () => {
    const { version: _, ...wire } = await getCurrentFuseWire(program);
    const states = Object.entries(wire).map(([fuse, state]) => [
      FuseV1Options[Number(fuse)],
      state === FuseState.ENABLE,
    ]);
    expect(Object.fromEntries(states)).toMatchObject({
      RunAsNode: false,
      EnableCookieEncryption: true,
      EnableNodeOptionsEnvironmentVariable: false,
      EnableNodeCliInspectArguments: false,
      EnableEmbeddedAsarIntegrityValidation: true,
      OnlyLoadAppFromAsar: true,
    });
  });

  it('is in the tray, logs in by a click, and answers kubectl by the helper that it brought', async () => {
    await until(
      () => (desk.menu().some((line) => line.startsWith('Log in to prod')) ? true : null),
      'the menu',
    );
    await person.logIn(() => desk.click('Log in to prod'));
    const { code, stdout, stderr } = await person.getPods();
    expect([code, stderr, stdout]).toEqual([0, '', expect.stringContaining('pod/')]);
    const own = join(stage.home.path, 'bin', 'lanyard');
    expect(readFileSync(own).equals(readFileSync(helper))).toBe(true);
  });

  it('shows its page', async () => {
    expect((await again(['--show=#/accounts'])).code).toBe(0);
    const titles = () => desk.windows().map(({ title }) => title);
    await expect.poll(titles).toContainEqual(expect.stringMatching(/^Accounts/));
  });

  it.each(['--remote-debugging-port=0', '--inspect', '--no-sandbox', '--allow-file-access-from-files'])(
    'refuses %s, and says so',
    async (word) => {
      const { code, stdout, stderr } = await again([word]);
      expect([code, stdout + stderr]).toEqual([
        exitCodes.notPermitted,
        expect.stringContaining(`It was started with ${word.replace(/=.*/, '')}`),
      ]);
      expect(stdout + stderr).not.toMatch(/listening on ws:/i);
    },
  );

  it.each([
    { name: 'ELECTRON_RUN_AS_NODE', value: '1', words: ['-p', '"ran"'] },
    { name: 'NODE_OPTIONS', value: '--require=/no/such/module.js', words: [] },
  ])('$name has no effect', async ({ name, value, words }) => {
    // The second start of an app that runs.
    const { code, stdout, stderr } = await again(words, { [name]: value });
    expect([code, stdout]).toEqual([exitCodes.good, '']);
    expect(stderr).not.toContain('no/such/module');
  });

  // The last of those with this one.
  it('ends by the tray', async () => {
    person.quit();
    await until(() => (stage.agent.isRunning() ? null : true), 'its end');
  });

  it('is started hidden by its helper, where there is a display', async () => {
    // No helper starts the broker of a home that a variable names: as the app wrote it, in the usual one.
    const data = join(stage.home.env['XDG_DATA_HOME'] ?? '', 'lanyard');
    mkdirSync(data, { recursive: true, mode: 0o700 });
    copyFileSync(join(stage.home.path, 'start.json'), join(data, 'start.json'));
    const status = await run(helper, ['status', '--json'], { env: { ...env, LANYARD_HOME: undefined } });
    expect([status.code, status.stderr]).toEqual([0, '']);
    const { pid } = JSON.parse(status.stdout).broker as { pid: number };
    const log = () => readFileSync(join(data, 'agent.log'), 'utf8');
    try {
      await until(() => (log().includes('"app.ready"') ? true : null), 'the app');
    } finally {
      process.kill(pid, 'SIGTERM');
    }
    await until(() => {
      try {
        process.kill(pid, 0);
        return null;
      } catch {
        return true;
      }
    }, 'its end');
  });
});
