import type { ElectronModule } from '../electron.ts';

/**
 * Switches by which another program sees into the app or takes away what protects its pages. A program of the same user
 * has other ways; but none of these is left open in an installed app, where a shortcut or a start file could hold one.
 * Node's own (`--inspect`, NODE_OPTIONS) are switched off by fuses as well.
 */
const refused: readonly string[] = [
  'remote-debugging-port',
  'remote-debugging-pipe',
  'remote-debugging-address',
  'remote-debugging-targets',
  'inspect',
  'inspect-brk',
  'inspect-brk-node',
  'inspect-port',
  'inspect-wait',
  'debug',
  'debug-brk',
  'debug-port',
  'js-flags',
  'disable-web-security',
  'allow-file-access-from-files',
  'load-extension',
  'renderer-cmd-prefix',
  'utility-cmd-prefix',
  'gpu-launcher',
];

/** True where the app was started with one of them, once the person has been told. Works before the app is ready. */
export function isStartRefused({ app, dialog }: Pick<ElectronModule, 'app' | 'dialog'>): boolean {
  const found = refusedSwitch(app);
  if (found !== null) {
    dialog.showErrorBox('Lanyard did not start', `It was started with ${found}. Start it without.`);
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
