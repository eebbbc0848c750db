import type { AppSession } from '../electron.ts';
import { pagesOrigin } from '../scheme/index.ts';

/** Chromium's code for any failed certificate check: net::ERR_FAILED. */
const refused = -2;

/** Lets pages of this session load only the app's own files, and nothing from the network or a disk. */
export function ownFilesOnly(session: AppSession, { isPackaged }: { isPackaged: boolean }): void {
  session.webRequest.onBeforeRequest(({ url }, answer) => answer({ cancel: !isOwn(url, isPackaged) }));
  session.setCertificateVerifyProc((_request, answer) => answer(refused));
}

function isOwn(url: string, isPackaged: boolean): boolean {
  return (
    url.startsWith(`${pagesOrigin}/`) ||
    url.startsWith(`blob:${pagesOrigin}/`) ||
    (!isPackaged && url.startsWith('devtools://'))
  );
}
