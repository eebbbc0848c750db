import type { ElectronModule } from './electron.ts';

/**
 * The same Electron, with message boxes and file dialogs that the user sees. On macOS, a click in the menu bar or on a
 * notification doesn't bring the app to the front, and its message box would be behind other windows.
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
    showOpenDialog(...args: unknown[]) {
      toFront(electron, platform);
      return dialog.showOpenDialog(args.at(-1) as Electron.OpenDialogOptions);
    },
  };
  // Inherits from the module instead of copying it: some members can't be read before Electron is ready.
  return Object.create(electron, { dialog: { value: inFront } }) as ElectronModule;
}

/** Takes the keyboard focus for what the user has just opened. macOS leaves it with the previous app. */
export function toFront({ app }: Pick<ElectronModule, 'app'>, platform: NodeJS.Platform): void {
  if (platform === 'darwin') {
    app.focus({ steal: true });
  }
}
