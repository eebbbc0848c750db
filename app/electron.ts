import type * as Electron from 'electron';

/*
 * The parts of Electron that the app uses, with Electron's own types. `app/main.ts` passes the real module, tests
 * pass a stand-in (test/support/electron). The compiler checks both against these types. To use more of Electron, add
 * its name here and to the stand-in.
 */

export type ElectronApp = Pick<
  Electron.App,
  | 'commandLine'
  | 'enableSandbox'
  | 'dock'
  | 'exit'
  | 'focus'
  | 'getAppPath'
  | 'getLoginItemSettings'
  | 'getPath'
  | 'getVersion'
  | 'isInApplicationsFolder'
  | 'isPackaged'
  | 'moveToApplicationsFolder'
  | 'on'
  | 'quit'
  | 'relaunch'
  | 'removeListener'
  | 'requestSingleInstanceLock'
  | 'setAppUserModelId'
  | 'setBadgeCount'
  | 'setJumpList'
  | 'setLoginItemSettings'
  | 'setName'
  | 'setPath'
  | 'setToastActivatorCLSID'
  | 'whenReady'
>;

export type AppContents = Pick<
  Electron.WebContents,
  | 'getURL'
  | 'getZoomLevel'
  | 'id'
  | 'isDestroyed'
  | 'mainFrame'
  | 'on'
  | 'reload'
  | 'send'
  | 'session'
  | 'setWebRTCIPHandlingPolicy'
  | 'setWindowOpenHandler'
  | 'setZoomLevel'
>;

export type AppWindow = Pick<
  Electron.BrowserWindow,
  | 'close'
  | 'destroy'
  | 'focus'
  | 'getNormalBounds'
  | 'hide'
  | 'isDestroyed'
  | 'isFocused'
  | 'isFullScreen'
  | 'isMinimized'
  | 'isVisible'
  | 'loadURL'
  | 'on'
  | 'once'
  | 'removeMenu'
  | 'restore'
  | 'setBackgroundColor'
  | 'setFullScreen'
  | 'show'
> & { readonly webContents: AppContents };

export type AppTray = Pick<
  Electron.Tray,
  'destroy' | 'on' | 'popUpContextMenu' | 'setContextMenu' | 'setImage' | 'setToolTip'
>;

export type AppNotification = Pick<Electron.Notification, 'close' | 'on' | 'show'>;

export type AppSession = Pick<
  Electron.Session,
  | 'on'
  | 'protocol'
  | 'setBluetoothPairingHandler'
  | 'setCertificateVerifyProc'
  | 'setDevicePermissionHandler'
  | 'setDisplayMediaRequestHandler'
  | 'setPermissionCheckHandler'
  | 'setPermissionRequestHandler'
  | 'setSpellCheckerEnabled'
  | 'setUSBProtectedClassesHandler'
  | 'webRequest'
>;

export interface ElectronModule {
  app: ElectronApp;
  /** Squirrel's, which electron-updater uses on macOS. */
  autoUpdater: Pick<Electron.AutoUpdater, 'checkForUpdates' | 'once' | 'quitAndInstall' | 'removeListener'>;
  BrowserWindow: new (options: Electron.BrowserWindowConstructorOptions) => AppWindow;
  Menu: {
    buildFromTemplate(template: (Electron.MenuItemConstructorOptions | Electron.MenuItem)[]): Electron.Menu;
    setApplicationMenu(menu: Electron.Menu | null): void;
  };
  Notification: {
    new (options: Electron.NotificationConstructorOptions): AppNotification;
    isSupported(): boolean;
  };
  Tray: new (image: Electron.NativeImage) => AppTray;
  dialog: Pick<Electron.Dialog, 'showErrorBox' | 'showMessageBox' | 'showOpenDialog'>;
  ipcMain: Pick<Electron.IpcMain, 'on' | 'removeListener'>;
  /** Images and menus go back to Electron, so they have its own types. The stand-in's are cast. */
  nativeImage: { createFromPath(path: string): Electron.NativeImage };
  nativeTheme: Pick<
    Electron.NativeTheme,
    | 'on'
    | 'removeListener'
    | 'shouldUseDarkColors'
    | 'shouldUseDarkColorsForSystemIntegratedUI'
    | 'themeSource'
  >;
  net: Pick<Electron.Net, 'fetch'>;
  powerMonitor: Pick<Electron.PowerMonitor, 'getSystemIdleState' | 'on' | 'removeListener'>;
  protocol: Pick<Electron.Protocol, 'handle' | 'registerSchemesAsPrivileged'>;
  session: { fromPartition(partition: string): AppSession; readonly defaultSession: AppSession };
  shell: Pick<Electron.Shell, 'openExternal'>;
  systemPreferences: Pick<Electron.SystemPreferences, 'canPromptTouchID' | 'promptTouchID'>;
}
