import type { BrowserWindowConstructorOptions, WindowOpenHandlerResponse } from 'electron';
import type { AppContents, AppWindow } from '../../../app/electron.ts';
import { StandInEmitter } from './events.ts';
import type { StandInSession } from './session.ts';

type OpenHandler = Parameters<AppContents['setWindowOpenHandler']>[0];

/** A page's process, as the main process sees it. */
export class StandInContents extends StandInEmitter {
  readonly id: number;
  readonly session: AppContents['session'];
  readonly mainFrame: AppContents['mainFrame'];
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
  send(channel: string, ...args: unknown[]): void {
    this.sent.push({ channel, args });
    this.events.emit(`sent ${channel}`, ...args);
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
  #isVisible: boolean;
  #isDestroyed = false;
  constructor(options: BrowserWindowConstructorOptions, session: StandInSession) {
    super();
    lastId += 1;
    this.options = options;
    this.contents = new StandInContents(lastId, session);
    this.#isVisible = options.show ?? true;
  }
  get webContents(): AppWindow['webContents'] {
    return this.contents;
  }
  async loadURL(url: string): Promise<void> {
    this.loaded.push(url);
    Object.assign(this.contents.mainFrame, { url });
  }
  show(): void {
    this.#isVisible = true;
    this.events.emit('show');
  }
  hide(): void {
    this.#isVisible = false;
    this.events.emit('hide');
  }
  focus(): void {
    this.events.emit('focus');
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
