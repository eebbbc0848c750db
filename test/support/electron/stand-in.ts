import { existsSync } from 'node:fs';
import type {
  CustomScheme,
  Menu,
  MessageBoxOptions,
  NativeImage,
  NotificationConstructorOptions,
  OpenDialogOptions,
} from 'electron';
import type { AppSession, ElectronModule } from '../../../app/electron.ts';
import { StandInApp } from './app.ts';
import { StandInEmitter } from './events.ts';
import { StandInSession } from './session.ts';
import { type StandInMenu, StandInNotification, type StandInPicture, StandInTray } from './shown.ts';
import { StandInWindow } from './windows.ts';

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
  /** File dialogs that were shown; the user chooses `chosen`, null: cancels. */
  readonly fileDialogs: OpenDialogOptions[];
  chosen: readonly string[] | null;
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
  const fileDialogs: OpenDialogOptions[] = [];

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
      async showOpenDialog(...args: unknown[]) {
        fileDialogs.push(args.at(-1) as OpenDialogOptions);
        return { canceled: standIn.chosen === null, filePaths: [...(standIn.chosen ?? [])] };
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
    fileDialogs,
    chosen: null,
    answer: ({ cancelId }) => cancelId ?? 0,
    errors,
    applicationMenu: null,
    touchId: { isThere: false, answer: async () => undefined },
  };
  return standIn;
}
