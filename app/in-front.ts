import type { ElectronModule } from './electron.ts';

/**
 * The same Electron, whose message boxes a person sees. On macOS a click in the menu bar or on a notification doesn't bring
 * the app to the front, and a box of it would lie behind the window that is there.
 */
export function withBoxesInFront(electron: ElectronModule, platform: NodeJS.Platform): ElectronModule {
  if (platform !== 'darwin') {
    return electron;
  }
  const { dialog } = electron;
  const inFront: ElectronModule['dialog'] = {
    showErrorBox(title, content) {
      toFront(electron, platform);
      dialog.showErrorBox(title, content);
    },
    showMessageBox(...args: unknown[]) {
      toFront(electron, platform);
      return dialog.showMessageBox(args.at(-1) as Electron.MessageBoxOptions);
    },
  };
  // Over the module, not a copy of it: some of its members can't be looked at before Electron is ready.
  return Object.create(electron, { dialog: { value: inFront } }) as ElectronModule;
}

/** Takes the keyboard for what a person has just asked to see: macOS leaves it to the app that had it. */
export function toFront({ app }: Pick<ElectronModule, 'app'>, platform: NodeJS.Platform): void {
  if (platform === 'darwin') {
    app.focus({ steal: true });
  }
}
