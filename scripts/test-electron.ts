import { spawnSync } from 'node:child_process';
import { chownSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findProgram } from '../main/platform/programs/find-program.ts';
import { buildForRealElectron } from '../test/real-electron/build.ts';
import { electronForTests } from '../test/support/electron-for-tests.ts';
import { desktopSpecs, repository, runOnDesktop } from './desktop-specs.ts';
import { startXServer } from './x-server.ts';

/**
 * `npm run test:electron [-- SPEC…]`: the desktop app on a real Electron, as an ordinary user with Chromium's sandbox, on its
 * own display: test/electron, and the UI's specs in its window. With the older one of scripts/fetch-real-electron.ts, the
 * specs, and the app from a deb and an AppImage, with LANYARD_LONG=1 alone.
 * Exits with 0, and says why, where it can't run. As root it goes on as sudo's user, else as `nobody`.
 */
const nobody = { uid: 65_534, gid: 65_534 };
const isBuilt = 'LANYARD_REAL_ELECTRON_BUILT';
const name = 'Electron specs';
const electron = electronForTests(process.env);
const isRoot = process.getuid?.() === 0;

function skip(why: string): never {
  console.log(`${name}: skipped, since ${why}`);
  process.exit(0);
}

/** Of a part that `./scripts/setup.sh test` brings where it can: in CI it is there. */
function missing(what: string): never {
  if (process.env['CI'] === 'true' && process.platform === 'linux' && process.arch === 'x64') {
    console.error(`${name}: missing in CI: ${what}`);
    process.exit(1);
  }
  return skip(what);
}

if (electron === null) {
  missing(
    'no Electron is here (ELECTRON_OVERRIDE_DIST_PATH names a folder with its binary; scripts/fetch-real-electron.ts fetches an older one for Linux)',
  );
}
if (process.platform === 'linux') {
  await checkDesk();
}
// Not by the other user, who can write nothing here.
if (electron.is === 'older' && process.env[isBuilt] === undefined) {
  await buildForRealElectron();
}
if (isRoot) {
  process.exit(asOrdinaryUser());
}
process.exit(process.platform === 'linux' ? await onDisplay(runSpecs) : runSpecs());

/** Skips where the desk of test/electron can't be had. */
async function checkDesk(): Promise<void> {
  const programs = ['Xvfb', 'openbox', 'wmctrl', 'xdotool', 'xprop', 'setpriv'];
  const found = await Promise.all(programs.map((each) => findProgram(each, process.env['PATH'] ?? '')));
  const absent = programs.filter((_, index) => found[index] === null);
  if (absent.length > 0) {
    missing(`${absent.join(', ')} can’t be found`);
  }
  if (spawnSync('/usr/bin/python3', ['-c', 'import dbus, gi'], { stdio: 'ignore' }).status !== 0) {
    missing('python3-dbus or python3-gi is missing');
  }
  if (
    !isRoot &&
    spawnSync('unshare', ['--user', '--map-root-user', 'true'], { stdio: 'ignore' }).status !== 0
  ) {
    skip('this system gives an ordinary user no namespaces, which Chromium’s sandbox needs');
  }
}

/** This again, with none of root's rights, in a home that goes with it. */
function asOrdinaryUser(): number {
  const { SUDO_UID, SUDO_GID } = process.env;
  const isSudo = Number(SUDO_UID) > 0 && Number(SUDO_GID) > 0;
  const { uid, gid } = isSudo ? { uid: Number(SUDO_UID), gid: Number(SUDO_GID) } : nobody;
  const user = ['setpriv', `--reuid=${uid}`, `--regid=${gid}`, '--clear-groups', '--no-new-privs'];
  const isRead = spawnSync('/usr/bin/env', [
    '-C',
    '/',
    ...user,
    'test',
    '-r',
    join(repository, 'package.json'),
  ]);
  if (isRead.status !== 0) {
    skip(`an ordinary user can’t read ${repository}`);
  }
  const home = mkdtempSync(join(tmpdir(), 'lanyard-user-'));
  try {
    chownSync(home, uid, gid);
    // Other variables of root's may hold secrets, or name folders of root's.
    const passed = Object.entries(process.env).filter(([key]) =>
      /^(PATH|LANG|LC_.*|TZ|TERM|CI|NO_COLOR|FORCE_COLOR|LANYARD_(LONG|SEED|E2E|REAL_MINUTES)|ELECTRON_OVERRIDE_DIST_PATH)$/.test(
        key,
      ),
    );
    const { status } = spawnSync(
      '/usr/bin/env',
      [...withFuse(), ...user, process.execPath, ...process.execArgv, ...process.argv.slice(1)],
      { stdio: 'inherit', env: { ...Object.fromEntries(passed), HOME: home, [isBuilt]: '1' } },
    );
    return status ?? 1;
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

/**
 * What goes before a command to make /dev/fuse usable by the test user, as udev does and AppImages need it, where it is for
 * root alone. In a mount namespace that only the command has.
 */
function withFuse(): readonly string[] {
  const mode = statSync('/dev/fuse', { throwIfNoEntry: false })?.mode;
  const isForAll = mode === undefined || (mode & 0o006) === 0o006;
  if (isForAll || spawnSync('unshare', ['--mount', 'true']).status !== 0) {
    return [];
  }
  const bind =
    'mount -t tmpfs -o mode=755 none /mnt && mknod -m 666 /mnt/fuse c 10 229 && mount --bind /mnt/fuse /dev/fuse; exec "$@"';
  return ['unshare', '--mount', 'sh', '-c', bind, 'sh'];
}

function runSpecs(): number {
  const named = process.argv.slice(2);
  const which = electron?.is === 'older' ? ', an older one than Lanyard’s, with shims' : '';
  console.log(`${name}: on Electron ${versionOf(electron?.program ?? '')}${which}`);
  // The desk around the others is Linux's.
  const own =
    process.platform === 'linux' ? ['test/electron/'] : ['test/electron/hardening', 'test/electron/pinned'];
  const all = electron?.is === 'pinned' || process.env['LANYARD_LONG'] === '1';
  const specs = all ? desktopSpecs() : [];
  return runOnDesktop(name, 'electron', named.length > 0 ? named : [...own, ...specs]);
}

function versionOf(program: string): string {
  const { stdout } = spawnSync(program, ['--version'], { encoding: 'utf8' });
  return stdout.trim().replace(/^v/, '');
}

/** Runs them on their own X server: the specs press keys, and must not press them on the user’s screen. */
async function onDisplay(run: () => number): Promise<number> {
  const { display, end } = await startXServer();
  try {
    process.env['DISPLAY'] = display;
    delete process.env['WAYLAND_DISPLAY'];
    return run();
  } finally {
    end();
  }
}
