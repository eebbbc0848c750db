import { posix } from 'node:path';
import { runBriefly } from '../../platform/programs/run-briefly.ts';

/** The caller’s variables that lead to its user manager. */
export const managerVariables = [
  'HOME',
  'XDG_CONFIG_HOME',
  'XDG_RUNTIME_DIR',
  'DBUS_SESSION_BUS_ADDRESS',
] as const;

/** Starts programs at login: systemd’s user manager, or launchd. */
export interface ServiceManager {
  /** Runs `systemctl --user …` or `launchctl …`; false where it is missing, fails or doesn’t answer. */
  run(args: readonly string[]): Promise<boolean>;
  /** The command as the user would type it. */
  line(args: readonly string[]): string;
}

const limitMilliseconds = 15_000;

/** Absolute: the PATH is the caller’s, and its first match may be anyone’s. */
const systemctlPlaces = ['/usr/bin/systemctl', '/bin/systemctl', '/run/current-system/sw/bin/systemctl'];

export function createServiceManager(
  platform: 'linux' | 'darwin',
  environment: Readonly<Record<string, string | undefined>>,
): ServiceManager {
  const [programs, before] =
    platform === 'linux' ? ([systemctlPlaces, ['--user']] as const) : ([['/bin/launchctl'], []] as const);
  const passed: Record<string, string> = {};
  for (const name of managerVariables) {
    const value = environment[name];
    if (value !== undefined) {
      passed[name] = value;
    }
  }
  return {
    run: async (args) => {
      for (const program of programs) {
        const ran = await runBriefly(program, [...before, ...args], {
          environment: passed,
          limitMilliseconds,
        });
        if (ran.ok || ran.reason !== 'notStarted') {
          return ran.ok;
        }
      }
      return false;
    },
    line: (args) => [posix.basename(programs[0] ?? ''), ...before, ...args].join(' '),
  };
}
