import type { Secret } from '../../main/base/secret.ts';
import { isSame } from '../../main/consent/windows/window-request.ts';
import { dialogOrigin } from '../scheme/dialog-scheme.ts';

export type JudgedDialog = { kind: 'show' } | { kind: 'answer' } | { kind: 'refused'; status: number };

/**
 * Decides about a request of the dialogs' scheme. `path` is that of the open dialog. Serves its page and its form,
 * refuses the rest.
 */
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
  // Chromium may leave out the Origin for a custom scheme, or send `null`. Only the dialogs are in this partition, and
  // only their page knows the address and the form's token.
  const origin = headers.get('origin');
  if (origin !== null && origin !== 'null' && origin !== dialogOrigin) {
    return { kind: 'refused', status: 403 };
  }
  const isForm = headers.get('content-type') === 'application/x-www-form-urlencoded';
  return isForm ? { kind: 'answer' } : { kind: 'refused', status: 415 };
}
