import type {
  Dock,
  Menu,
  MenuItem,
  MenuItemConstructorOptions,
  NativeImage,
  NotificationConstructorOptions,
} from 'electron';
import { StandInEmitter } from './events.ts';

export interface StandInMenu {
  template: (MenuItemConstructorOptions | MenuItem)[];
}

export interface StandInPicture extends Pick<NativeImage, 'isEmpty' | 'setTemplateImage'> {
  path: string;
  isTemplate: boolean;
}

export class StandInTray extends StandInEmitter {
  image: NativeImage;
  toolTip = '';
  menu: StandInMenu | null = null;
  /** Each menu that was shown at a click. */
  readonly poppedUp: StandInMenu[] = [];
  isDestroyed = false;
  constructor(image: NativeImage) {
    super();
    this.image = image;
  }
  setImage(image: NativeImage | string): void {
    this.image = image as NativeImage;
  }
  setToolTip(text: string): void {
    this.toolTip = text;
  }
  setContextMenu(menu: Menu | null): void {
    this.menu = menu as StandInMenu | null;
  }
  popUpContextMenu(menu?: Menu): void {
    this.poppedUp.push(menu as unknown as StandInMenu);
  }
  destroy(): void {
    this.isDestroyed = true;
  }
}

export class StandInNotification extends StandInEmitter {
  readonly options: NotificationConstructorOptions;
  isShown = false;
  constructor(options: NotificationConstructorOptions) {
    super();
    this.options = options;
  }
  show(): void {
    this.isShown = true;
    this.events.emit('show');
  }
  close(): void {
    this.isShown = false;
    this.events.emit('close');
  }
}

/** The dock of macOS, as far as the app uses it. */
export interface StandInDock {
  menu: StandInMenu | null;
  badge: string;
  /** Within a second of `show`, Electron ignores `hide`. */
  hasJustShown: boolean;
}

export function createDock(): Dock & StandInDock {
  let isVisible = true;
  const dock = {
    menu: null as StandInMenu | null,
    badge: '',
    hasJustShown: false,
    isVisible: () => isVisible,
    hide: () => {
      isVisible = dock.hasJustShown && isVisible;
    },
    show: async () => {
      isVisible = true;
    },
    setMenu: (menu: Menu) => {
      dock.menu = menu as unknown as StandInMenu;
    },
    setBadge: (text: string) => {
      dock.badge = text;
    },
  };
  return dock as unknown as Dock & StandInDock;
}
