import type { ElectronModule } from '../electron.ts';

/**
 * Electron's own menu has developers' entries. On macOS a menu has to be there, or no key copies and pastes; elsewhere
 * pages have those keys by themselves, and the window its own (window-keys.ts).
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
