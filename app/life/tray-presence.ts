import { runBriefly } from '../../main/platform/programs/run-briefly.ts';

/** Who shows the icons of a Linux desktop's tray has this name on the session's bus (StatusNotifierItem). */
const watcher = 'org.kde.StatusNotifierWatcher';

/** The first that exists. Absolute: the first one in PATH may be any program. */
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

/** At a login the panel may come up after the app. */
const patience = { looks: 10, stepMilliseconds: 1_000 };

export interface FindTrayDeps {
  platform: NodeJS.Platform;
  env: NodeJS.ProcessEnv;
  /** Checks for a while: no one waits for a window. */
  patient: boolean;
  wait(milliseconds: number): Promise<unknown>;
  /** Which of the programs are tried, by path; all unless told otherwise. */
  programs?: readonly string[];
}

/**
 * Whether this desktop shows a tray. macOS and Windows do; a Linux desktop only where something watches for the
 * icons, which Electron itself doesn't report: it makes a tray that no one sees. Where it can't be determined the
 * answer is no: a needless window can be closed.
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
