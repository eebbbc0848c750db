import { runBriefly } from '../../main/platform/programs/run-briefly.ts';

/** The service on the session bus that shows tray icons on a Linux desktop (StatusNotifierItem). */
const watcher = 'org.kde.StatusNotifierWatcher';

/** Uses the first that exists. Absolute paths: the first one in PATH could be any program. */
const askers: readonly (readonly [program: string, args: readonly string[], yes: RegExp])[] = [
  [
    '/usr/bin/gdbus',
    [
      'call',
      '--session',
      '--dest=org.freedesktop.DBus',
      '--object-path=/org/freedesktop/DBus',
      '--method=org.freedesktop.DBus.NameHasOwner',
      watcher,
    ],
    /^\(true,\)/,
  ],
  [
    '/usr/bin/busctl',
    [
      '--user',
      'call',
      'org.freedesktop.DBus',
      '/org/freedesktop/DBus',
      'org.freedesktop.DBus',
      'NameHasOwner',
      's',
      watcher,
    ],
    /^b true/,
  ],
  [
    '/usr/bin/dbus-send',
    [
      '--session',
      '--print-reply=literal',
      '--dest=org.freedesktop.DBus',
      '/org/freedesktop/DBus',
      'org.freedesktop.DBus.NameHasOwner',
      `string:${watcher}`,
    ],
    /^\s*boolean true/,
  ],
];

const busVariables = ['DBUS_SESSION_BUS_ADDRESS', 'XDG_RUNTIME_DIR'] as const;
const limitMilliseconds = 2_000;

/** At login, the panel may start after the app. */
const patience = { looks: 10, stepMilliseconds: 1_000 };

export interface FindTrayDeps {
  platform: NodeJS.Platform;
  env: NodeJS.ProcessEnv;
  /** Checks for a while: the app was started hidden, so no one waits for a window. */
  patient: boolean;
  wait(milliseconds: number): Promise<unknown>;
  /** The paths of the programs to try. Default: all. */
  programs?: readonly string[];
}

/**
 * Whether this desktop shows a tray. macOS and Windows do. A Linux desktop does only if a service shows the icons.
 * Electron doesn't report that: it makes a tray that no one sees. False if that can't be determined: the user can
 * close a needless window.
 */
export async function findTray({
  platform,
  env,
  patient,
  wait,
  programs = askers.map(([program]) => program),
}: FindTrayDeps): Promise<boolean> {
  if (platform !== 'linux') {
    return true;
  }
  const environment = Object.fromEntries(
    busVariables.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]] as const])),
  );
  if (Object.keys(environment).length === 0) {
    return false;
  }
  for (let look = 1; ; look += 1) {
    if (await isWatched(environment, programs)) {
      return true;
    }
    if (!patient || look === patience.looks) {
      return false;
    }
    await wait(patience.stepMilliseconds);
  }
}

async function isWatched(
  environment: Readonly<Record<string, string>>,
  programs: readonly string[],
): Promise<boolean> {
  for (const [program, args, yes] of askers.filter(([path]) => programs.includes(path))) {
    const ran = await runBriefly(program, args, { environment, limitMilliseconds });
    if (ran.ok) {
      return yes.test(ran.stdout);
    }
  }
  return false;
}
