import { trayShapes } from '../app/tray/tray-state.ts';
import { appSvg, traySvg } from './icon-drawings.ts';

/** A picture of app/icons, or several of one drawing in an .ico. */
export interface IconFile {
  /** Below app/icons. */
  path: string;
  svg: string;
  /** In pixels, square: one for a .png. */
  sizes: readonly number[];
}

const linuxSizes = [16, 22, 24, 32, 48, 64, 128, 256, 512];

/** Every picture that app/icons holds. */
export function iconFiles(): IconFile[] {
  const whole = appSvg(0);
  return [
    // macOS wants a margin around it; electron-builder makes the .icns.
    { path: 'app.png', svg: appSvg(100), sizes: [1024] },
    { path: 'app.ico', svg: whole, sizes: [16, 20, 24, 32, 40, 48, 64, 256] },
    ...linuxSizes.map((size) => ({ path: `linux/${size}x${size}.png`, svg: whole, sizes: [size] })),
    ...trayShapes.flatMap((shape) => [
      // `…Template` is how macOS knows a picture that it colours itself; its menu bar is 22 points high.
      { path: `tray/${shape}Template.png`, svg: traySvg(shape, 'template'), sizes: [18] },
      { path: `tray/${shape}Template@2x.png`, svg: traySvg(shape, 'template'), sizes: [36] },
      { path: `tray/${shape}-panel.png`, svg: traySvg(shape, 'panel'), sizes: [22] },
      { path: `tray/${shape}-panel@2x.png`, svg: traySvg(shape, 'panel'), sizes: [44] },
      ...(['light', 'dark'] as const).map((ground) => ({
        path: `tray/${shape}-${ground}.ico`,
        svg: traySvg(shape, ground),
        // 100, 125, 150, 200, 250, 300 and 400 %.
        sizes: [16, 20, 24, 32, 40, 48, 64],
      })),
    ]),
  ];
}
