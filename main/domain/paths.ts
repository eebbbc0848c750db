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
  /** Where the user wants Lanyard's contexts, and which entries of their kubeconfigs are Lanyard's. */
  userContexts: string;
  /** The folder of the kubeconfigs of terminals that the window opened. */
  terminals: string;
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
  const named = own === null ? null : folderOf(own, platform);
  if (own !== null && named === null) {
    throw new BrokerError('paths.home', `${table.home.variable} must be an absolute path`, {
      reason: 'usage',
      hint: `set ${table.home.variable} to the whole path of a folder, or unset it`,
    });
  }
  const known = knownPlatform(platform);
  const home = named ?? firstOf(table.home[known], env, platform);
  const configHome = named ?? firstOf(table.configHome[known], env, platform);
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
    userContexts: inHome(files.userContexts),
    terminals: inHome(files.terminals),
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
    // Go’s exec runs no file without an extension of PATHEXT there, and kubectl is a Go program.
    helper: inHome(platform === 'win32' ? `${files.helper}.exe` : files.helper),
    homeVariable: own,
  };
}

/** The variables by which another program finds the same home, with their values. */
export function homeVariables(
  env: Readonly<Record<string, string | undefined>>,
  platform: string,
): (readonly [name: string, value: string])[] {
  const known = knownPlatform(platform);
  const names = env[table.home.variable]
    ? [table.home.variable]
    : [...table.home[known], ...table.configHome[known]].map(variableIn);
  return [...new Set(names)].flatMap((name) => {
    const folder = folderOf(env[name] ?? '', platform);
    return folder === null ? [] : [[name, folder]];
  });
}

/** The first alternative whose variable has an absolute path (the XDG specification ignores others). */
function firstOf(
  alternatives: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
  platform: string,
): string {
  for (const alternative of alternatives) {
    const [, variable = '', rest = ''] = /^\$([A-Z_]+)(.*)$/.exec(alternative) ?? [];
    const folder = folderOf(env[variable] ?? '', platform, rest);
    if (folder !== null) {
      return folder;
    }
  }
  const variables = alternatives.map(variableIn);
  throw new BrokerError('paths.home', `no home: none of ${variables.join(', ')} holds an absolute path`, {
    reason: 'usage',
    hint: `set ${table.home.variable} to the whole path of a folder`,
  });
}

function variableIn(alternative: string): string {
  return /^\$([A-Z_]+)/.exec(alternative)?.[1] ?? '';
}

function knownPlatform(platform: string): Platform {
  return platform === 'win32' || platform === 'darwin' ? platform : 'linux';
}

/**
 * A folder as a variable names it, with `rest` after it, in its one spelling: on Windows the pipe’s name is made of it,
 * and the helper does the same (native-helper/helper/src/home.rs). There `\\?\C:\a` is `C:\a` and
 * `\\?\UNC\server\share` is `\\server\share`; then `/` becomes `\`, and empty parts, `.`, `..` and a separator at the end
 * go, by the text alone. Null for a path that isn’t absolute; on Windows also for one without a drive or share (`\a`
 * depends on the current drive), and for devices (`\\.\`, other `\\?\`).
 */
function folderOf(text: string, platform: string, rest = ''): string | null {
  if (platform !== 'win32') {
    return text.startsWith('/') ? posix.resolve(text + rest) : null;
  }
  const plain = text.replace(/^\\\\\?\\UNC\\/i, '\\\\').replace(/^\\\\\?\\(?=[A-Za-z]:\\)/, '');
  const isFull = /^([A-Za-z]:[\\/]|\\\\[^\\/?.][^\\/]*[\\/]+[^\\/])/.test(plain);
  return isFull ? win32.resolve(plain + rest) : null;
}
