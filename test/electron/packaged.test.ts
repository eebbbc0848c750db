import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FuseState, FuseV1Options, getCurrentFuseWire } from '@electron/fuses';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exitCodes } from '../../main/contract/exit-codes.ts';
import { packageApp, type Target, whyNotPackaged } from '../real-electron/package-app.ts';
import { agentOf } from '../support/agent.ts';
import { electronForTests } from '../support/electron-for-tests.ts';
import { whyNotLong } from '../support/long.ts';
import { baseEnvironment, type Ended, run, start } from '../support/processes.ts';
import { until } from '../support/stage.ts';
import { unless } from '../support/unless.ts';
import { unlock } from '../support/unlock.ts';
import { type DesktopStage, openDesktopStage } from './support/desktop-stage.ts';
import { type InstalledDeb, installDeb, whyNoDeb } from './support/installed-deb.ts';

/*
 * The app as electron-builder packages it with a real Electron: its archive, fuses and resources. An older Electron, so
 * with what test/real-electron puts into the archive.
 */
const isOlder = electronForTests(process.env)?.is === 'older';
// Short: with a long path electron-builder finds no packages.
const folder = isOlder ? mkdtempSync(join(tmpdir(), 'ly-packaged-')) : '';
const output = join(folder, 'out');
const unpacked = join(output, 'linux-unpacked');
const whyNot: Record<Target, string | null> = {
  dir: null,
  deb: whyNotLong ?? whyNotPackaged('deb') ?? whyNoDeb(),
  AppImage: whyNotLong ?? whyNotPackaged('AppImage'),
};

/** How a package is started. */
interface Installed {
  /** What goes before each command: where the package is. */
  inside: readonly string[];
  program: string;
  /** The helper that the package installs; null: none, and the app's copy in its home counts. */
  helper: string | null;
}

/** A package whose app a person uses at a desk. */
interface InUse extends Installed {
  person: DesktopStage;
  env: Record<string, string | undefined>;
}

const file = (end: string) => join(output, readdirSync(output).find((name) => name.endsWith(end)) ?? '');

function commandOf(words: readonly string[], ...more: string[]): [command: string, args: string[]] {
  const [command = '', ...args] = [...words, ...more];
  return [command, args];
}

describe('a packaged app', unless(isOlder ? null : 'packaged with the older Electron alone'), () => {
  beforeAll(() => {
    packageApp(
      folder,
      (['dir', 'deb', 'AppImage'] as const).filter((target) => whyNot[target] === null),
    );
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('has the fuses of electron-builder.yml, but for the one that this Electron lacks', async () => {
    const { version: _, ...wire } = await getCurrentFuseWire(join(unpacked, 'lanyard-desktop'));
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

  describe('as a folder', () => {
    const helper = join(unpacked, 'resources', 'bin', 'lanyard');
    isAnApp(async () => ({ inside: [], program: join(unpacked, 'lanyard-desktop'), helper }));
  });

  describe('as a deb', unless(whyNot.deb), () => {
    let deb: InstalledDeb;
    afterAll(() => deb?.dispose());
    isAnApp(async () => {
      deb = await installDeb(file('.deb'));
      return { inside: deb.inside, program: '/usr/bin/lanyard-desktop', helper: '/usr/bin/lanyard' };
    });

    it('is removed, and leaves nothing but dpkg’s own records', async () => {
      expect(deb.traces('lanyard')).toContain('opt/Lanyard');
      expect((await deb.dpkg('--remove', 'lanyard')).code).toBe(0);
      const ofDpkg = /^var\/(lib\/dpkg\/|log\/dpkg\.log)/;
      expect(deb.traces('lanyard').filter((path) => !ofDpkg.test(path))).toEqual([]);
      expect((await deb.dpkg('--purge', 'lanyard')).code).toBe(0);
      expect(deb.traces('lanyard').sort()).toEqual(['var/lib/dpkg/status-old', 'var/log/dpkg.log']);
    });
  });

  describe('as an AppImage', unless(whyNot.AppImage), () => {
    // An AppImage mounts itself: by fusermount, else with root's rights, which the user has over this namespace.
    const mounting = ['unshare', '--user', '--map-current-user', '--keep-caps', '--mount'];
    const noMore = 'echo 0 >/proc/sys/user/max_user_namespaces; exec "$@"';
    const inUse = isAnApp(async () => ({ inside: mounting, program: file('.AppImage'), helper: null }));

    describe('without user namespaces', () => {
      const closed = [...mounting, 'sh', '-euc', noMore, 'sh'];
      const advice = 'It was started with --no-sandbox. Start it without. An AppImage adds it';

      it('refuses to start, and says what to do', async () => {
        const { program, env } = inUse();
        const { code, stdout, stderr } = await run(...commandOf(closed, program, '--hidden'), { env });
        expect([code, stdout + stderr]).toEqual([exitCodes.notPermitted, expect.stringContaining(advice)]);
        expect(stdout + stderr).toContain('install the deb or rpm package');
      });

      it('is started by its helper without a window', async () => {
        const said = await startedByHelper({ ...inUse(), inside: closed }, '"agent.listening"', (command) =>
          // Electron 22 ends with that switch (docs/platforms.md).
          command.filter((word) => word !== '--ozone-platform=headless'),
        );
        expect(said.stderr).toMatch(
          new RegExp(`ended \\(exit status: ${exitCodes.notPermitted}\\).*; started without a window`),
        );
      });
    });
  });
});

/** What holds for the app of each package. */
function isAnApp(install: () => Promise<Installed>): () => InUse {
  let inUse: InUse;
  const again = (words: readonly string[], more: Record<string, string> = {}) =>
    run(...commandOf(inUse.inside, inUse.program, ...words), { env: { ...inUse.env, ...more } });

  beforeAll(async () => {
    const installed = await install();
    let env = {};
    const person = await openDesktopStage(async ({ home, passphrase, env: ofDesk }) => {
      const display = process.env['DISPLAY'] ?? '';
      env = { ...baseEnvironment(), ...ofDesk, ...home.env, DISPLAY: display };
      const began = performance.now();
      const running = start(...commandOf(installed.inside, installed.program, '--hidden'), { env });
      running.closeInput();
      await running.waitForLine(/"app\.ready"/);
      await unlock(home, passphrase);
      return agentOf(running, began);
    });
    inUse = { ...installed, person, env };
  });
  afterAll(() => inUse?.person.dispose());

  it('is in the tray, logs in by a click, and answers kubectl by the helper that it brought', async () => {
    const { desk, stage, logIn, getPods } = inUse.person;
    await until(
      () => (desk.menu().some((line) => line.startsWith('Log in to prod')) ? true : null),
      'the menu',
    );
    await logIn(() => desk.click('Log in to prod'));
    const { code, stdout, stderr } = await getPods();
    expect([code, stderr, stdout]).toEqual([0, '', expect.stringContaining('pod/')]);
    const own = join(stage.home.path, 'bin', 'lanyard');
    expect(readFileSync(own).equals(readFileSync(join(unpacked, 'resources', 'bin', 'lanyard')))).toBe(true);
  });

  it('shows its page', async () => {
    expect((await again(['--show=#/accounts'])).code).toBe(0);
    const titles = () => inUse.person.desk.windows().map(({ title }) => title);
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
    const { quit, stage } = inUse.person;
    quit();
    await until(() => (stage.agent.isRunning() ? null : true), 'its end');
  });

  it('is started hidden by its helper, where there is a display', async () => {
    const { stderr } = await startedByHelper(inUse, '"app.ready"');
    expect(stderr).toBe('');
  });
  return () => inUse;
}

/**
 * What the helper says, and that the broker that it starts gets so far; then ends that broker. No helper starts the broker
 * of a home that a variable names: as the app wrote it, in the usual one. `changed`: its command without windows.
 */
async function startedByHelper(
  { inside, helper, person: { stage }, env }: InUse,
  event: string,
  changed: (command: string[]) => string[] = (command) => command,
): Promise<Ended> {
  const data = join(stage.home.env['XDG_DATA_HOME'] ?? '', 'lanyard');
  mkdirSync(data, { recursive: true, mode: 0o700 });
  const { command, ...others } = JSON.parse(readFileSync(join(stage.home.path, 'start.json'), 'utf8'));
  const text = JSON.stringify({ ...others, command: changed(command) });
  writeFileSync(join(data, 'start.json'), text, { mode: 0o600 });
  const log = join(data, 'agent.log');
  rmSync(log, { force: true });
  const status = await run(
    ...commandOf(inside, helper ?? join(stage.home.path, 'bin', 'lanyard'), 'status', '--json'),
    { env: { ...env, LANYARD_HOME: undefined } },
  );
  expect(status).toMatchObject({ code: 0 });
  const { pid } = JSON.parse(status.stdout).broker as { pid: number };
  try {
    await until(() => (readFileSync(log, 'utf8').includes(event) ? true : null), event);
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
  return status;
}
