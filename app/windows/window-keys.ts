import type { Input } from 'electron';
import type { AppWindow } from '../electron.ts';

/** What a key does to the window itself. */
export type WindowKey = 'close' | 'reload' | 'zoomIn' | 'zoomOut' | 'zoomReset';

const keys: ReadonlyMap<string, WindowKey> = new Map([
  ['w', 'close'],
  ['r', 'reload'],
  ['=', 'zoomIn'],
  ['+', 'zoomIn'],
  ['-', 'zoomOut'],
  ['0', 'zoomReset'],
]);
const zoomStep = 0.5;
/** About 58% to 250%. */
const zoomRange = { least: -3, most: 5 };

export interface WindowKeyRules {
  platform: NodeJS.Platform;
  isPackaged: boolean;
}

/** Null: the page handles the key. `reload` is only for developers of Lanyard. */
export function windowKeyOf(
  {
    type,
    key,
    control,
    meta,
    alt,
    shift,
  }: Pick<Input, 'type' | 'key' | 'control' | 'meta' | 'alt' | 'shift'>,
  { platform, isPackaged }: WindowKeyRules,
): WindowKey | null {
  const [command, other] = platform === 'darwin' ? [meta, control] : [control, meta];
  // On many keyboards, + needs the shift key.
  if (type !== 'keyDown' || !command || other || alt || (shift && key !== '+')) {
    return null;
  }
  const found = keys.get(key.toLowerCase()) ?? null;
  return found === 'reload' && isPackaged ? null : found;
}

/** Handles the keys that a menu would have: the window has no menu. */
export function handleWindowKeys(window: AppWindow, rules: WindowKeyRules): void {
  const contents = window.webContents;
  const zoom = (level: number) =>
    contents.setZoomLevel(Math.min(zoomRange.most, Math.max(zoomRange.least, level)));
  contents.on('before-input-event', (event, input) => {
    const key = windowKeyOf(input, rules);
    if (key === null) {
      return;
    }
    event.preventDefault();
    switch (key) {
      case 'close':
        window.close();
        return;
      case 'reload':
        contents.reload();
        return;
      case 'zoomIn':
        zoom(contents.getZoomLevel() + zoomStep);
        return;
      case 'zoomOut':
        zoom(contents.getZoomLevel() - zoomStep);
        return;
      case 'zoomReset':
        zoom(0);
        return;
    }
  });
}
