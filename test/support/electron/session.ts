import type { OnBeforeRequestListenerDetails } from 'electron';
import type { AppSession } from '../../../app/electron.ts';
import { StandInEmitter } from './events.ts';

type Handle = (request: Request) => Response | Promise<Response>;
type First<Method extends keyof AppSession> = AppSession[Method] extends (
  first: infer Given,
  ...more: never
) => unknown
  ? Given
  : never;
type BeforeRequest = (
  details: OnBeforeRequestListenerDetails,
  callback: (response: { cancel?: boolean }) => void,
) => void;

/** A partition: who serves its schemes, and what it says to permissions, devices, requests and certificates. */
export class StandInSession extends StandInEmitter {
  readonly schemes = new Map<string, Handle>();
  permissionCheck: First<'setPermissionCheckHandler'> = null;
  permissionRequest: First<'setPermissionRequestHandler'> = null;
  devicePermission: First<'setDevicePermissionHandler'> = null;
  displayMedia: First<'setDisplayMediaRequestHandler'> = null;
  bluetoothPairing: First<'setBluetoothPairingHandler'> = null;
  usbProtectedClasses: First<'setUSBProtectedClassesHandler'> = null;
  certificateVerify: First<'setCertificateVerifyProc'> = null;
  hasSpellChecker = true;
  beforeRequest: BeforeRequest | null = null;
  readonly protocol = {
    handle: (scheme: string, handler: Handle) => void this.schemes.set(scheme, handler),
  } as unknown as AppSession['protocol'];
  readonly webRequest = {
    onBeforeRequest: (listener: BeforeRequest | null) => {
      this.beforeRequest = listener;
    },
  } as unknown as AppSession['webRequest'];
  setPermissionCheckHandler(handler: typeof this.permissionCheck): void {
    this.permissionCheck = handler;
  }
  setPermissionRequestHandler(handler: typeof this.permissionRequest): void {
    this.permissionRequest = handler;
  }
  setDevicePermissionHandler(handler: typeof this.devicePermission): void {
    this.devicePermission = handler;
  }
  setDisplayMediaRequestHandler(handler: typeof this.displayMedia): void {
    this.displayMedia = handler;
  }
  setBluetoothPairingHandler(handler: typeof this.bluetoothPairing): void {
    this.bluetoothPairing = handler;
  }
  setUSBProtectedClassesHandler(handler: typeof this.usbProtectedClasses): void {
    this.usbProtectedClasses = handler;
  }
  setCertificateVerifyProc(handler: typeof this.certificateVerify): void {
    this.certificateVerify = handler;
  }
  setSpellCheckerEnabled(on: boolean): void {
    this.hasSpellChecker = on;
  }
  /** As a page of this partition asks for one of its scheme's addresses. */
  async request(url: string, init?: RequestInit): Promise<Response> {
    const handler = this.schemes.get(new URL(url).protocol.slice(0, -1));
    if (!handler) {
      throw new Error(`nobody serves ${url}`);
    }
    return handler(new Request(url, init));
  }
  /** True: a request for this address is let out. */
  letsOut(url: string): boolean {
    let cancelled = false;
    this.beforeRequest?.({ url } as OnBeforeRequestListenerDetails, ({ cancel }) => {
      cancelled = cancel ?? false;
    });
    return !cancelled;
  }
}
