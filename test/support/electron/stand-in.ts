import { existsSync } from 'node:fs';
import type {
  CustomScheme,
  Dock,
  FocusOptions,
  JumpListCategory,
  LoginItemSettingsOptions,
  Menu,
  MenuItem,
  MenuItemConstructorOptions,
  MessageBoxOptions,
  NativeImage,
  NotificationConstructorOptions,
  RelaunchOptions,
  Settings,
} from 'electron';
import type { AppSession, ElectronModule } from '../../../app/electron.ts';
import { StandInEmitter } from './events.ts';
import { StandInSession } from './session.ts';
import { StandInWindow } from './windows.ts';

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
}

function createDock(): Dock & StandInDock {
  let isVisible = true;
  const dock = {
    menu: null as StandInMenu | null,
    badge: '',
    isVisible: () => isVisible,
    hide: () => {
      isVisible = false;
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

class StandInApp extends StandInEmitter {
  isPackaged = false;
  version = '0.1.0';
  isFirst = true;
  /** Set by `exit` or `quit`. */
  exitCode: number | null = null;
  readonly loginItems = new Map<string, boolean>();
  wasOpenedAtLogin = false;
  /** The system keeps the person's no. */
  refusesLoginItems = false;
  readonly ended = Promise.withResolvers<number>();
  /** Chromium's switches that it was started with, and those added since. */
  readonly switches = new Map<string, string>();
  readonly commandLine = {
    hasSwitch: (name: string) => this.switches.has(name),
    getSwitchValue: (name: string) => this.switches.get(name) ?? '',
    appendSwitch: (name: string, value = '') => void this.switches.set(name, value),
  } as unknown as ElectronModule['app']['commandLine'];
  isSandboxed = false;
  enableSandbox(): void {
    this.isSandboxed = true;
  }
  /** What a later start handed over, as its first argument. */
  handedOver: Record<string, unknown> | undefined;
  readonly paths = new Map<string, string>();
  /** As on macOS; undefined elsewhere: a test says where it is. */
  dock: (Dock & StandInDock) | undefined = undefined;
  /** From now on it is macOS, as far as Electron is concerned. */
  addDock(): StandInDock & Pick<Dock, 'isVisible'> {
    const dock = createDock();
    this.dock = dock;
    return dock;
  }
  badgeCount = 0;
  jumpList: JumpListCategory[] | null = null;
  userModelId: string | null = null;
  toastActivator: string | null = null;
  /** By the app itself; null: it has the one of its package.json. */
  givenName: string | null = null;
  async whenReady(): Promise<void> {}
  /** How often it took the keyboard from the app that had it. */
  steals = 0;
  focus(options?: FocusOptions): void {
    this.steals += options?.steal === true ? 1 : 0;
  }
  requestSingleInstanceLock(data?: Record<string, unknown>): boolean {
    this.handedOver = data;
    return this.isFirst;
  }
  getPath(name: string): string {
    return `/home/somebody/${name}`;
  }
  setPath(name: string, path: string): void {
    this.paths.set(name, path);
  }
  setBadgeCount(count = 0): boolean {
    this.badgeCount = count;
    return true;
  }
  setJumpList(list: JumpListCategory[] | null): 'ok' {
    this.jumpList = list;
    return 'ok';
  }
  setToastActivatorCLSID(id: string): void {
    this.toastActivator = id;
  }
  setName(name: string): void {
    this.givenName = name;
  }
  setAppUserModelId(id: string): void {
    this.userModelId = id;
  }
  getVersion(): string {
    return this.version;
  }
  getAppPath(): string {
    return '/opt/lanyard/resources/app.asar';
  }
  getLoginItemSettings(options?: LoginItemSettingsOptions) {
    const openAtLogin = this.loginItems.get(JSON.stringify(options?.args ?? [])) ?? false;
    const { wasOpenedAtLogin } = this;
    return { openAtLogin, executableWillLaunchAtLogin: openAtLogin, wasOpenedAtLogin } as ReturnType<
      ElectronModule['app']['getLoginItemSettings']
    >;
  }
  setLoginItemSettings({ openAtLogin, args }: Settings): void {
    this.loginItems.set(JSON.stringify(args ?? []), openAtLogin === true && !this.refusesLoginItems);
  }
  /** What is to start when this has ended; null: nothing. */
  relaunched: RelaunchOptions | null = null;
  relaunch(options: RelaunchOptions = {}): void {
    this.relaunched = options;
  }
  exit(code = 0): void {
    this.exitCode = code;
    this.ended.resolve(code);
  }
  quit(): void {
    if (!this.happen('before-quit').defaultPrevented) {
      this.happen('will-quit');
      this.exit(0);
    }
  }
}

/** What a test looks at and does, around the module that the app gets. */
export interface StandIn {
  readonly electron: ElectronModule;
  readonly app: StandInApp;
  readonly windows: StandInWindow[];
  /** The last window of a partition that is there. Throws where there is none. */
  windowOf(partition: string): StandInWindow;
  readonly trays: StandInTray[];
  readonly notifications: StandInNotification[];
  /** Each address that the system's browser was told to open. */
  readonly opened: string[];
  readonly ipc: StandInEmitter;
  readonly power: StandInEmitter & { idleState: 'active' | 'idle' | 'locked' | 'unknown' };
  readonly theme: StandInEmitter & {
    shouldUseDarkColors: boolean;
    shouldUseDarkColorsForSystemIntegratedUI: boolean;
    themeSource: 'system' | 'light' | 'dark';
  };
  readonly schemes: CustomScheme[];
  readonly sessions: Map<string, StandInSession>;
  /** Message boxes that were shown; answered by `answer`, with the cancel button unless told otherwise. */
  readonly boxes: MessageBoxOptions[];
  answer: (box: MessageBoxOptions) => number | Promise<number>;
  /** Errors that were shown: title and text. */
  readonly errors: { title: string; text: string }[];
  applicationMenu: StandInMenu | null;
  /** Touch ID is there, and what the person does with it. */
  touchId: { isThere: boolean; answer: () => Promise<void> };
}

/** A fresh Electron with nothing in it. */
export function createStandIn(): StandIn {
  const app = new StandInApp();
  const windows: StandInWindow[] = [];
  const trays: StandInTray[] = [];
  const notifications: StandInNotification[] = [];
  const opened: string[] = [];
  const ipc = new StandInEmitter();
  const power = Object.assign(new StandInEmitter(), {
    idleState: 'active' as StandIn['power']['idleState'],
    getSystemIdleState: () => power.idleState,
  });
  const theme = Object.assign(new StandInEmitter(), {
    shouldUseDarkColors: false,
    shouldUseDarkColorsForSystemIntegratedUI: false,
    themeSource: 'system' as const,
  });
  const schemes: CustomScheme[] = [];
  const sessions = new Map<string, StandInSession>();
  const sessionOf = (partition: string) => {
    const known = sessions.get(partition);
    if (known) {
      return known;
    }
    const made = new StandInSession();
    sessions.set(partition, made);
    app.events.emit('session-created', made);
    return made;
  };
  const errors: StandIn['errors'] = [];
  const boxes: MessageBoxOptions[] = [];

  class Window extends StandInWindow {
    constructor(options: ConstructorParameters<typeof StandInWindow>[0]) {
      super(options, sessionOf(options.webPreferences?.partition ?? ''));
      windows.push(this);
      app.events.emit('web-contents-created', {}, this.contents);
      app.events.emit('browser-window-created', {}, this);
    }
  }
  class Tray extends StandInTray {
    constructor(image: NativeImage) {
      super(image);
      trays.push(this);
    }
  }
  class Notification extends StandInNotification {
    static isSupported(): boolean {
      return true;
    }
    constructor(options: NotificationConstructorOptions) {
      super(options);
      notifications.push(this);
    }
  }

  const electron: ElectronModule = {
    app,
    autoUpdater: new StandInEmitter() as unknown as ElectronModule['autoUpdater'],
    BrowserWindow: Window,
    Menu: {
      buildFromTemplate: (template) => ({ template }) as unknown as Menu,
      setApplicationMenu(menu) {
        standIn.applicationMenu = menu as unknown as StandInMenu | null;
      },
    },
    Notification,
    Tray,
    dialog: {
      showErrorBox: (title, text) => void errors.push({ title, text }),
      async showMessageBox(...args: unknown[]) {
        const box = args.at(-1) as MessageBoxOptions;
        boxes.push(box);
        return { response: await standIn.answer(box), checkboxChecked: false };
      },
    },
    ipcMain: ipc as unknown as ElectronModule['ipcMain'],
    nativeImage: {
      createFromPath(path) {
        const picture: StandInPicture = {
          path,
          isTemplate: false,
          isEmpty: () => !existsSync(path),
          setTemplateImage(isTemplate) {
            picture.isTemplate = isTemplate;
          },
        };
        return picture as unknown as NativeImage;
      },
    },
    net: { fetch: (input, init) => fetch(input, init) },
    nativeTheme: theme,
    powerMonitor: power as unknown as ElectronModule['powerMonitor'],
    protocol: {
      handle: (scheme, handler) =>
        void sessionOf('').schemes.set(scheme, handler as (request: Request) => Response | Promise<Response>),
      registerSchemesAsPrivileged: (given) => void schemes.push(...given),
    },
    session: {
      fromPartition: (partition) => sessionOf(partition) as unknown as AppSession,
      get defaultSession() {
        return sessionOf('') as unknown as AppSession;
      },
    },
    shell: {
      async openExternal(url) {
        opened.push(url);
      },
    },
    systemPreferences: {
      canPromptTouchID: () => standIn.touchId.isThere,
      promptTouchID: () => standIn.touchId.answer(),
    },
  };
  const standIn: StandIn = {
    electron,
    app,
    windows,
    windowOf(partition) {
      const found = windows.findLast(
        (each) => each.options.webPreferences?.partition === partition && !each.isDestroyed(),
      );
      if (!found) {
        throw new Error(`no window of ${partition}`);
      }
      return found;
    },
    trays,
    notifications,
    opened,
    ipc,
    power,
    theme,
    schemes,
    sessions,
    boxes,
    answer: ({ cancelId }) => cancelId ?? 0,
    errors,
    applicationMenu: null,
    touchId: { isThere: false, answer: async () => undefined },
  };
  return standIn;
}
