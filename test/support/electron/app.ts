import type {
  Dock,
  FocusOptions,
  JumpListCategory,
  LoginItemSettingsOptions,
  MoveToApplicationsFolderOptions,
  RelaunchOptions,
  Settings,
} from 'electron';
import type { ElectronModule } from '../../../app/electron.ts';
import { StandInEmitter } from './events.ts';
import { createDock, type StandInDock } from './shown.ts';

/** Electron's `app`: what it was told, and what a test says of the system around it. */
export class StandInApp extends StandInEmitter {
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
  /**
   * Chromium's switches that it was started with, and those added since. Electron adds the first itself, in each
   * browser process (PreSandboxStartup in shell/app/electron_main_delegate.cc).
   */
  readonly switches = new Map<string, string>([['allow-file-access-from-files', '']]);
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
  /** Where macOS runs it from. */
  isInFolderOfApps = false;
  isInApplicationsFolder(): boolean {
    return this.isInFolderOfApps;
  }
  /** How often it was told to move, and what then happens. */
  moves = 0;
  move: (options?: MoveToApplicationsFolderOptions) => boolean = () => true;
  moveToApplicationsFolder(options?: MoveToApplicationsFolderOptions): boolean {
    this.moves += 1;
    return this.move(options);
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
