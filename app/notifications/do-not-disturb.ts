import { findProgram } from '../../main/platform/programs/find-program.ts';
import { type BriefRun, runBriefly } from '../../main/platform/programs/run-briefly.ts';

export interface DoNotDisturbDeps {
  platform: NodeJS.Platform;
  env: NodeJS.ProcessEnv;
}

/** If the desktop takes longer to answer, do not disturb counts as off. */
const limitMilliseconds = 2_000;

/** The variables that these programs need to find the session’s bus and the user’s settings. */
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
  /** Matches the output if the user doesn't want to be disturbed. */
  says: RegExp;
}

const [service, path, property] = [
  'org.freedesktop.Notifications',
  '/org/freedesktop/Notifications',
  'Inhibited',
];

/** KDE's setting, from the first of these programs that exists. None of them starts a service. */
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

/** GNOME has the setting in its settings store. */
const banners: readonly Question[] = [
  {
    program: 'gsettings',
    args: ['get', 'org.gnome.desktop.notifications', 'show-banners'],
    says: /^false$/m,
  },
];

/**
 * Whether the user told the desktop not to disturb them. Only read on Linux: macOS and Windows delay notifications
 * themselves. Never throws. Resolves to false if the setting can't be read.
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
