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

/** Whether the app was started with one of them. If so, tells the user. Works before the app is ready. */
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

/** The first switch that an installed app refuses, as it was given; else null. */
export function refusedSwitch({
  isPackaged,
  commandLine,
}: Pick<ElectronModule['app'], 'isPackaged' | 'commandLine'>): string | null {
  const found = isPackaged ? refused.find((name) => commandLine.hasSwitch(name)) : undefined;
  return found === undefined ? null : `--${found}`;
}
