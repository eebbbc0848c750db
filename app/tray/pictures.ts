import { join } from 'node:path';
import type { NativeImage } from 'electron';
import type { ElectronModule } from '../electron.ts';
import type { TrayShape } from './tray-state.ts';

export interface PicturesDeps {
  electron: Pick<ElectronModule, 'nativeImage' | 'nativeTheme'>;
  platform: NodeJS.Platform;
  /** The folder of the images. */
  icons: string;
}

/** The tray's image of each shape, for this system and its theme. */
export function createPictures({
  electron,
  platform,
  icons,
}: PicturesDeps): (shape: TrayShape) => NativeImage {
  const { nativeImage, nativeTheme } = electron;
  return (shape) => {
    const picture = nativeImage.createFromPath(join(icons, fileOf(shape, platform, nativeTheme)));
    if (platform === 'darwin') {
      // The system draws it in the colour of the menu bar.
      picture.setTemplateImage(true);
    }
    return picture;
  };
}

/** The files of scripts/icons.ts. Electron finds the `@2x` files beside them. */
function fileOf(
  shape: TrayShape,
  platform: NodeJS.Platform,
  theme: Pick<ElectronModule['nativeTheme'], 'shouldUseDarkColorsForSystemIntegratedUI'>,
): string {
  switch (platform) {
    case 'darwin':
      return `${shape}Template.png`;
    case 'win32':
      // The taskbar has its own theme. `shouldUseDarkColors` would be the app's, which the user may have changed. An
      // .ico, because Electron takes only one size from other formats, and stretches it.
      return `${shape}-${theme.shouldUseDarkColorsForSystemIntegratedUI ? 'dark' : 'light'}.ico`;
    default:
      // The panel's colour can't be read. Most panels are dark in either theme (GNOME, Ubuntu), some follow it (KDE).
      // These images are light, with an edge for light panels.
      return `${shape}-panel.png`;
  }
}
