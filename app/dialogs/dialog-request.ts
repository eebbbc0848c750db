import type { Secret } from '../../main/base/secret.ts';
import { isSame } from '../../main/consent/windows/window-request.ts';
import { dialogOrigin } from '../scheme/dialog-scheme.ts';

export type JudgedDialog = { kind: 'show' } | { kind: 'answer' } | { kind: 'refused'; status: number };

/** What a request of the dialogs' scheme is; `path` is the open dialog's. Anything else than the two it serves is refused. */
export function judgeDialogRequest(
  { method, url, headers }: Pick<Request, 'method' | 'url' | 'headers'>,
  path: Secret,
): JudgedDialog {
  if (!isSame(url, `${dialogOrigin}${path.reveal()}`)) {
    return { kind: 'refused', status: 404 };
  }
  if (method === 'GET') {
    return { kind: 'show' };
  }
  if (method !== 'POST') {
    return { kind: 'refused', status: 405 };
  }
  // Chromium may leave the Origin out for a scheme that isn't the web's, or not name it: nothing else lives in this
  // partition, and the address and the form's token are known to its page alone.
  const origin = headers.get('origin');
  if (origin !== null && origin !== 'null' && origin !== dialogOrigin) {
    return { kind: 'refused', status: 403 };
  }
  const isForm = headers.get('content-type') === 'application/x-www-form-urlencoded';
  return isForm ? { kind: 'answer' } : { kind: 'refused', status: 415 };
}
