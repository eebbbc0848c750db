import { posix, win32 } from 'node:path';
import { BrokerError } from '../contract/broker-error.ts';
import table from '../contract/paths.json' with { type: 'json' };

/** The absolute paths of one home. */
export interface Paths {
  home: string;
  configHome: string;
  config: string;
  vault: string;
  previousVault: string;
  kubeconfig: string;
  kubeconfigs: string;
  /** The folder with what each inventory last listed. */
  inventories: string;
  /** Which profiles of inventories are in use. */
  usedProfiles: string;
  /** What the desktop app stores about itself. */
  desktopMemory: string;
  socket: string;
  lock: string;
  start: string;
  log: string;
  /** The previous log, moved aside when it became large. */
  earlierLog: string;
  history: string;
  /** What was installed outside the home, and the lock for writing it. */
  installed: string;
  installedLock: string;
  /** Opens the UI in a browser; exists for at most a minute. */
  uiRedirect: string;
  /** The same for one of the broker's own windows. */
  windowRedirect: string;
  /** The folder of the desktop app's browser engine, for its own files. */
  desktop: string;
  /** The processes that have a way into the request proxy. */
  proxyClients: string;
  /** The folder of the Unix sockets that clients of the request proxy have of their own. */
  proxySockets: string;
  helper: string;
  /** LANYARD_HOME where it applies: programs that use this home must be told it. */
  homeVariable: string | null;
}

type Platform = keyof typeof table.configHome;

/**
 * Paths by the table that the helper reads too. LANYARD_HOME contains everything, config.yaml included; else the
 * platform's folders. Throws BrokerError `paths.home` (usage) that says what to set.
 */
export function resolvePaths(env: Readonly<Record<string, string | undefined>>, platform: string): Paths {
  const path = platform === 'win32' ? win32 : posix;
  const own = env[table.home.variable] || null;
  if (own !== null && !isFullPath(own, platform)) {
    throw new BrokerError('paths.home', `${table.home.variable} must be an absolute path`, {
      reason: 'usage',
      hint: `set ${table.home.variable} to the whole path of a folder, or unset it`,
    });
  }
  const known: Platform = platform === 'win32' || platform === 'darwin' ? platform : 'linux';
  const home = path.resolve(own ?? firstOf(table.home[known], env, platform));
  const configHome = own === null ? path.resolve(firstOf(table.configHome[known], env, platform)) : home;
  const inHome = (file: string) => path.join(home, ...file.split('/'));
  const { files } = table;
  return {
    home,
    configHome,
    config: path.join(configHome, files.config),
    vault: inHome(files.vault),
    previousVault: inHome(files.previousVault),
    kubeconfig: inHome(files.kubeconfig),
    kubeconfigs: inHome(files.kubeconfigs),
    inventories: inHome(files.inventories),
    usedProfiles: inHome(files.usedProfiles),
    desktopMemory: inHome(files.desktopMemory),
    socket: inHome(files.socket),
    lock: inHome(files.lock),
    start: inHome(files.start),
    log: inHome(files.log),
    earlierLog: inHome(files.earlierLog),
    history: inHome(files.history),
    installed: inHome(files.installed),
    installedLock: inHome(files.installedLock),
    uiRedirect: inHome(files.uiRedirect),
    windowRedirect: inHome(files.windowRedirect),
    desktop: inHome(files.desktop),
    proxyClients: inHome(files.proxyClients),
    proxySockets: inHome(files.proxySockets),
    helper: inHome(files.helper),
    homeVariable: own,
  };
}

/** The first alternative whose variable has an absolute path (the XDG specification ignores others). */
function firstOf(
  alternatives: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
  platform: string,
): string {
  for (const alternative of alternatives) {
    const [, variable = '', rest = ''] = /^\$([A-Z_]+)(.*)$/.exec(alternative) ?? [];
    const value = env[variable] ?? '';
    if (isFullPath(value, platform)) {
      return value + rest;
    }
  }
  const variables = alternatives.map((alternative) => /^\$([A-Z_]+)/.exec(alternative)?.[1]);
  throw new BrokerError('paths.home', `no home: none of ${variables.join(', ')} holds an absolute path`, {
    reason: 'usage',
    hint: `set ${table.home.variable} to the whole path of a folder`,
  });
}

/** On Windows with a drive or share: `\\folder` without one depends on the current drive. */
function isFullPath(text: string, platform: string): boolean {
  return platform === 'win32' ? /^([A-Za-z]:[\\/]|\\\\[^\\])/.test(text) : text.startsWith('/');
}
