import type { ElectronModule } from '../electron.ts';

/**
 * Switches that let another program read the app's memory, or that remove the protection of its pages. A program of
 * the same user has other means. But an installed app accepts none of these, because a shortcut or a start file could
 * contain one. Fuses also disable Node's own (`--inspect`, NODE_OPTIONS).
 */
const refused: readonly string[] = [
  // Debuggers of Chromium and Node.
  'remote-debugging-port',
  'remote-debugging-pipe',
  'remote-debugging-address',
  'remote-debugging-targets',
  'remote-allow-origins',
  'inspect',
  'inspect-brk',
  'inspect-brk-node',
  'inspect-port',
  'inspect-wait',
  'debug',
  'debug-brk',
  'debug-port',
  'wait-for-debugger',
  'wait-for-debugger-children',
  'renderer-startup-dialog',
  'utility-startup-dialog',
  'gpu-startup-dialog',
  // Other code in a page or its engine, and weaker rules between pages.
  'js-flags',
  'disable-web-security',
  'disable-site-isolation-trials',
  'disable-site-isolation-for-policy',
  'allow-file-access-from-files',
  'allow-running-insecure-content',
  'unsafely-treat-insecure-origin-as-secure',
  'load-extension',
  'disable-extensions-except',
  'allow-third-party-modules',
  // Another program instead of a child process.
  'browser-subprocess-path',
  'zygote-cmd-prefix',
  'renderer-cmd-prefix',
  'utility-cmd-prefix',
  'gpu-launcher',
  'ppapi-plugin-launcher',
  // Child processes without the sandbox, or with less of it. `lanyard agent` uses some of them, and starts no child
  // process.
  'no-sandbox',
  'single-process',
  'in-process-gpu',
  'disable-seccomp-filter-sandbox',
  'disable-setuid-sandbox',
  'disable-namespace-sandbox',
  'disable-gpu-sandbox',
  'no-zygote-sandbox',
  'allow-sandbox-debugging',
  // Writes network traffic to a file.
  'log-net-log',
];

/** Switches that the user may not know how to remove. */
const more: Readonly<Record<string, string>> = {
  '--no-sandbox':
    ' An AppImage adds it where the system doesn’t allow user namespaces: install the deb or rpm package there.',
};

/**
 * Those of them that Electron adds to its own command line in each browser process, before any code of the app runs:
 * Chromium's table can't tell them from the user's (PreSandboxStartup in shell/app/electron_main_delegate.cc, read in
 * Electron's source of version 45; on macOS it adds `enable-avfoundation`, too, which is not refused).
 */
const addedByElectron: readonly string[] = ['allow-file-access-from-files'];

/** How the app was started: the words of its command line, the program's own path first, the system, and the user. */
export interface Start {
  argv: readonly string[];
  platform: NodeJS.Platform;
  isRoot: boolean;
}

/**
 * Whether the app was started with a refused switch, or as root on Linux. If so, tells the user. Works before the app is
 * ready.
 */
export function isStartRefused(
  { app, dialog }: Pick<ElectronModule, 'app' | 'dialog'>,
  start: Start,
): boolean {
  const why = asRoot(app, start) ?? withSwitch(refusedSwitch(app, start));
  if (why !== null) {
    dialog.showErrorBox('Lanyard did not start', why);
  }
  return why !== null;
}

/**
 * Chromium starts as root with `--no-sandbox` alone, which the app takes back (`app.enableSandbox`): then each of its
 * processes ends at once, and no window ever shows.
 */
function asRoot(
  { commandLine }: Pick<ElectronModule['app'], 'commandLine'>,
  { platform, isRoot }: Start,
): string | null {
  return platform === 'linux' && isRoot && commandLine.hasSwitch('no-sandbox')
    ? 'Its window needs an ordinary user: as root there is no sandbox. Without a window: lanyard agent, and lanyard ui beside it.'
    : null;
}

function withSwitch(found: string | null): string | null {
  return found === null ? null : `It was started with ${found}. Start it without.${more[found] ?? ''}`;
}

/** The first switch that an installed app refuses, as `--name`; else null. */
function refusedSwitch(
  { isPackaged, commandLine }: Pick<ElectronModule['app'], 'isPackaged' | 'commandLine'>,
  { argv, platform }: Omit<Start, 'isRoot'>,
): string | null {
  if (!isPackaged) {
    return null;
  }
  const given = switchesIn(argv, platform);
  const found = refused.find((name) =>
    addedByElectron.includes(name) ? given.has(name) : commandLine.hasSwitch(name),
  );
  return found === undefined ? null : `--${found}`;
}

/**
 * The switches on a command line, by name in lower case, as Chromium finds them (base/command_line.cc): after `--` or
 * `-`, on Windows also `/`, with or without a value, up to a word that is `--` alone. Chromium ignores upper and lower
 * case on Windows only; here they are ignored everywhere.
 */
function switchesIn(argv: readonly string[], platform: NodeJS.Platform): ReadonlySet<string> {
  const words = argv.slice(1).map((word) => word.trim());
  const end = words.indexOf('--');
  const prefix = platform === 'win32' ? /^(?:--|-|\/)([^=]+)/u : /^--?([^=]+)/u;
  return new Set(
    (end === -1 ? words : words.slice(0, end)).flatMap((word) => prefix.exec(word)?.[1]?.toLowerCase() ?? []),
  );
}
