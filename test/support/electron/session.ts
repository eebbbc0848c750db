import type { AppSession } from '../../../app/electron.ts';

type Handle = (request: Request) => Response | Promise<Response>;

/** A partition: who serves its schemes, and what it says to permissions. */
export class StandInSession {
  readonly schemes = new Map<string, Handle>();
  permissionCheck: Parameters<AppSession['setPermissionCheckHandler']>[0] = null;
  permissionRequest: Parameters<AppSession['setPermissionRequestHandler']>[0] = null;
  readonly protocol = {
    handle: (scheme: string, handler: Handle) => void this.schemes.set(scheme, handler),
  } as unknown as AppSession['protocol'];
  setPermissionCheckHandler(handler: Parameters<AppSession['setPermissionCheckHandler']>[0]): void {
    this.permissionCheck = handler;
  }
  setPermissionRequestHandler(handler: Parameters<AppSession['setPermissionRequestHandler']>[0]): void {
    this.permissionRequest = handler;
  }
  /** As a page of this partition asks for one of its scheme's addresses. */
  async request(url: string, init?: RequestInit): Promise<Response> {
    const handler = this.schemes.get(new URL(url).protocol.slice(0, -1));
    if (!handler) {
      throw new Error(`nobody serves ${url}`);
    }
    return handler(new Request(url, init));
  }
}
