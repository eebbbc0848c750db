import type { BrowserWindowConstructorOptions, WindowOpenHandlerResponse } from 'electron';
import type { AppContents, AppWindow } from '../../../app/electron.ts';
import { StandInEmitter, standInEvent } from './events.ts';
import type { StandInSession } from './session.ts';

type OpenHandler = Parameters<AppContents['setWindowOpenHandler']>[0];

/** A page's process, as the main process sees it. */
export class StandInContents extends StandInEmitter {
  readonly id: number;
  readonly session: AppContents['session'];
  readonly mainFrame: AppContents['mainFrame'];
  zoomLevel = 0;
  webRtcPolicy = 'default';
  reloads = 0;
  /** What was sent to the page. */
  readonly sent: { channel: string; args: unknown[] }[] = [];
  #openHandler: OpenHandler | null = null;
  #isDestroyed = false;
  constructor(id: number, session: StandInSession) {
    super();
    this.id = id;
    this.session = session as unknown as AppContents['session'];
    this.mainFrame = { url: '', routingId: id } as unknown as AppContents['mainFrame'];
  }
  isDestroyed(): boolean {
    return this.#isDestroyed;
  }
  getURL(): string {
    return this.mainFrame.url;
  }
  /** The document goes, and begins again: the frame stays. */
  reload(): void {
    this.reloads += 1;
    this.navigate(this.mainFrame.url);
  }
  /** As the main frame goes to another document. */
  navigate(url: string): void {
    this.events.emit('did-start-navigation', standInEvent({ url, isMainFrame: true, isSameDocument: false }));
    Object.assign(this.mainFrame, { url });
    this.events.emit('did-navigate', standInEvent(), url, 200, 'OK');
  }
  getZoomLevel(): number {
    return this.zoomLevel;
  }
  setZoomLevel(level: number): void {
    this.zoomLevel = level;
  }
  setWebRTCIPHandlingPolicy(policy: string): void {
    this.webRtcPolicy = policy;
  }
  send(channel: string, ...args: unknown[]): void {
    this.sent.push({ channel, args });
    this.events.emit('sent', channel, ...args);
  }
  setWindowOpenHandler(handler: OpenHandler): void {
    this.#openHandler = handler;
  }
  /** As `window.open` in the page does. */
  openWindow(url: string): WindowOpenHandlerResponse {
    const details = {
      url,
      frameName: '',
      features: '',
      disposition: 'new-window',
    } as Parameters<OpenHandler>[0];
    return this.#openHandler?.(details) ?? { action: 'allow' };
  }
  destroy(): void {
    this.#isDestroyed = true;
    this.events.emit('destroyed');
  }
}

let lastId = 0;

export class StandInWindow extends StandInEmitter {
  readonly options: BrowserWindowConstructorOptions;
  readonly contents: StandInContents;
  /** Each address that it was told to load. */
  readonly loaded: string[] = [];
  hasMenu = true;
  backgroundColour: string;
  bounds = { x: 0, y: 0, width: 0, height: 0 };
  #isMinimized = false;
  #isVisible: boolean;
  #isDestroyed = false;
  #isFocused = false;
  #isFullScreen = false;
  constructor(options: BrowserWindowConstructorOptions, session: StandInSession) {
    super();
    lastId += 1;
    this.options = options;
    this.contents = new StandInContents(lastId, session);
    this.#isVisible = options.show ?? true;
    this.backgroundColour = options.backgroundColor ?? '#FFF';
    const { x = 0, y = 0, width = 800, height = 600 } = options;
    this.bounds = { x, y, width, height };
  }
  get webContents(): AppWindow['webContents'] {
    return this.contents;
  }
  async loadURL(url: string): Promise<void> {
    this.loaded.push(url);
    this.contents.navigate(url);
  }
  show(): void {
    this.#isVisible = true;
    this.#isFocused = true;
    this.events.emit('show');
  }
  hide(): void {
    this.#isVisible = false;
    this.events.emit('hide');
  }
  removeMenu(): void {
    this.hasMenu = false;
  }
  isFocused(): boolean {
    return this.#isFocused && !this.#isDestroyed;
  }
  focus(): void {
    this.#isFocused = true;
    this.events.emit('focus');
  }
  isMinimized(): boolean {
    return this.#isMinimized;
  }
  minimize(): void {
    this.#isMinimized = true;
    this.events.emit('minimize');
  }
  restore(): void {
    this.#isMinimized = false;
    this.events.emit('restore');
  }
  isFullScreen(): boolean {
    return this.#isFullScreen;
  }
  /** As macOS, which tells of the end of it only when the animation is over: `happen('leave-full-screen')`. */
  setFullScreen(on: boolean): void {
    this.#isFullScreen = on;
  }
  /** As the person turns to another window. */
  blur(): void {
    this.#isFocused = false;
    this.events.emit('blur');
  }
  setBackgroundColor(colour: string): void {
    this.backgroundColour = colour;
  }
  getNormalBounds() {
    return this.bounds;
  }
  isVisible(): boolean {
    return this.#isVisible && !this.#isDestroyed;
  }
  isDestroyed(): boolean {
    return this.#isDestroyed;
  }
  /** As a person's click on the cross. */
  close(): void {
    if (!this.happen('close').defaultPrevented) {
      this.destroy();
    }
  }
  destroy(): void {
    if (!this.#isDestroyed) {
      this.#isDestroyed = true;
      this.contents.destroy();
      this.events.emit('closed');
    }
  }
}
