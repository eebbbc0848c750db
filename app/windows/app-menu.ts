import type { ElectronModule } from '../electron.ts';

/**
 * Electron's default menu has developer entries. On macOS the app needs a menu, or no key copies and pastes.
 * Elsewhere pages handle those keys, and the window has its own (window-keys.ts).
 */
export function setAppMenu({ Menu }: Pick<ElectronModule, 'Menu'>, platform: NodeJS.Platform): void {
  Menu.setApplicationMenu(
    platform === 'darwin'
      ? Menu.buildFromTemplate([
          { role: 'appMenu' },
          { role: 'editMenu' },
          { label: 'View', submenu: [{ role: 'resetZoom' }, { role: 'zoomIn' }, { role: 'zoomOut' }] },
          { role: 'windowMenu' },
        ])
      : null,
  );
}
