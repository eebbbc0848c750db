import type { ElectronModule } from '../electron.ts';

/**
 * Switches by which another program sees into the app or takes away what protects its pages. A program of the same user
 * has other ways; but none of these is left open in an installed app, where a shortcut or a start file could hold one.
 * Node's own (`--inspect`, NODE_OPTIONS) are switched off by fuses as well.
 */
const refused: readonly string[] = [
  // Chromium's and Node's debuggers.
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
  // Code of others in a page or its engine, and rules between pages that don't hold.
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
  // Another program in the place of a child process.
  'browser-subprocess-path',
  'zygote-cmd-prefix',
  'renderer-cmd-prefix',
  'utility-cmd-prefix',
  'gpu-launcher',
  'ppapi-plugin-launcher',
  // Child processes without the sandbox, or with less of it. `lanyard agent` has some of them, and makes no child.
  'no-sandbox',
  'single-process',
  'in-process-gpu',
  'disable-seccomp-filter-sandbox',
  'disable-setuid-sandbox',
  'disable-namespace-sandbox',
  'disable-gpu-sandbox',
  'no-zygote-sandbox',
  'allow-sandbox-debugging',
  // What goes over the network, in a file.
  'log-net-log',
];

/** What the user may not know how to leave out. */
const more: Readonly<Record<string, string>> = {
  '--no-sandbox':
    ' An AppImage adds it where the system doesn’t allow user namespaces: install the deb or rpm package there.',
};

/** True: the app was started with one of them, and the user has been told. Works before the app is ready. */
export function isStartRefused({ app, dialog }: Pick<ElectronModule, 'app' | 'dialog'>): boolean {
  const found = refusedSwitch(app);
  if (found !== null) {
    dialog.showErrorBox(
      'Lanyard did not start',
      `It was started with ${found}. Start it without.${more[found] ?? ''}`,
    );
  }
  return found !== null;
}

/** The first switch that an installed app doesn't start with, as it was given; null: there is none. */
export function refusedSwitch({
  isPackaged,
  commandLine,
}: Pick<ElectronModule['app'], 'isPackaged' | 'commandLine'>): string | null {
  const found = isPackaged ? refused.find((name) => commandLine.hasSwitch(name)) : undefined;
  return found === undefined ? null : `--${found}`;
}
