import { join } from 'node:path';
import type { NativeImage } from 'electron';
import type { ElectronModule } from '../electron.ts';
import type { TrayShape } from './tray-state.ts';

export interface PicturesDeps {
  electron: Pick<ElectronModule, 'nativeImage' | 'nativeTheme'>;
  platform: NodeJS.Platform;
  /** The folder of the pictures. */
  icons: string;
}

/** The tray's picture of each shape, as this system wants it now. */
export function createPictures({
  electron,
  platform,
  icons,
}: PicturesDeps): (shape: TrayShape) => NativeImage {
  const { nativeImage, nativeTheme } = electron;
  return (shape) => {
    const picture = nativeImage.createFromPath(join(icons, fileOf(shape, platform, nativeTheme)));
    if (platform === 'darwin') {
      // The system draws it in the menu bar's own colour, whatever that is.
      picture.setTemplateImage(true);
    }
    return picture;
  };
}

/** The files of scripts/icons.ts. Those with `@2x` beside them are found by Electron. */
function fileOf(
  shape: TrayShape,
  platform: NodeJS.Platform,
  theme: Pick<ElectronModule['nativeTheme'], 'shouldUseDarkColorsForSystemIntegratedUI'>,
): string {
  switch (platform) {
    case 'darwin':
      return `${shape}Template.png`;
    case 'win32':
      // The taskbar has its own theme: `shouldUseDarkColors` would be the app's, which the user may have chosen. An
      // .ico, since Electron takes only one size from anything else, and has it stretched.
      return `${shape}-${theme.shouldUseDarkColorsForSystemIntegratedUI ? 'dark' : 'light'}.ico`;
    default:
      // Nothing says how a panel looks. Most are dark in either theme (GNOME, Ubuntu), some follow it (KDE): these are
      // light, with an edge that holds them on a light ground.
      return `${shape}-panel.png`;
  }
}
