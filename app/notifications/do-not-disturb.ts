import { findProgram } from '../../main/platform/programs/find-program.ts';
import { type BriefRun, runBriefly } from '../../main/platform/programs/run-briefly.ts';

export interface DoNotDisturbDeps {
  platform: NodeJS.Platform;
  env: NodeJS.ProcessEnv;
}

/** Longer than that the desktop is asked for nothing: then it counts as not to be left in peace. */
const limitMilliseconds = 2_000;

/** What such a program needs to find the session’s bus and the user’s settings. */
const needed = [
  'DBUS_SESSION_BUS_ADDRESS',
  'XDG_RUNTIME_DIR',
  'HOME',
  'XDG_CONFIG_HOME',
  'XDG_DATA_DIRS',
  'LANG',
];

interface Question {
  program: string;
  args: readonly string[];
  /** Its answer says that the user doesn't want to be disturbed. */
  says: RegExp;
}

const [service, path, property] = [
  'org.freedesktop.Notifications',
  '/org/freedesktop/Notifications',
  'Inhibited',
];

/** KDE's switch, by the first of these that exists. None of them starts a service. */
const inhibited: readonly Question[] = [
  {
    program: 'busctl',
    args: ['--user', '--auto-start=no', '--timeout=1', 'get-property', service, path, service, property],
    says: /^b true$/m,
  },
  {
    program: 'gdbus',
    args: [
      ...['call', '--session', '--timeout', '1', '--dest', service, '--object-path', path],
      ...['--method', 'org.freedesktop.DBus.Properties.Get', service, property],
    ],
    says: /^\(<true>,\)$/m,
  },
];

/** GNOME keeps its own in the settings. */
const banners: readonly Question[] = [
  {
    program: 'gsettings',
    args: ['get', 'org.gnome.desktop.notifications', 'show-banners'],
    says: /^false$/m,
  },
];

/**
 * Whether the user told the desktop not to disturb them. Only read on Linux: macOS and Windows delay notifications
 * themselves, and show them afterwards. Never throws; an unreadable setting counts as no.
 */
export function createDoNotDisturb({ platform, env }: DoNotDisturbDeps): () => Promise<boolean> {
  if (platform !== 'linux') {
    return async () => false;
  }
  const environment = Object.fromEntries(
    needed.flatMap((name) => {
      const value = env[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
  const ask = async (questions: readonly Question[]): Promise<boolean> => {
    for (const { program, args, says } of questions) {
      const found = await findProgram(program, env['PATH'] ?? '');
      if (found) {
        const run: BriefRun = await runBriefly(found.path, args, { environment, limitMilliseconds });
        return run.ok && says.test(run.stdout);
      }
    }
    return false;
  };
  return async () => {
    if (
      environment['DBUS_SESSION_BUS_ADDRESS'] === undefined &&
      environment['XDG_RUNTIME_DIR'] === undefined
    ) {
      return false;
    }
    const answers = await Promise.all([ask(inhibited), ask(banners)]);
    return answers.includes(true);
  };
}
