import { isAccess, ticketFragment } from '../../main/contract/ui/handshake.ts';

/** The credential by which the broker accepts a page. */
export interface Access {
  kind: 'ticket' | 'session';
  id: string;
  secret: string;
}

const place = 'lanyard.session';

/** The ticket in the address, if any. Removes it from the address and the history. */
export function takeTicket({ location, history }: Pick<Window, 'location' | 'history'>): Access | null {
  const [, id, secret] = ticketFragment.exec(location.hash) ?? [];
  if (id === undefined || secret === undefined) {
    return null;
  }
  history.replaceState(null, '', location.pathname);
  return { kind: 'ticket', id, secret };
}

/** The session of this tab, which ends with the tab. */
export function readSession({ sessionStorage }: Pick<Window, 'sessionStorage'>): Access | null {
  try {
    const stored: unknown = JSON.parse(sessionStorage.getItem(place) ?? 'null');
    return isAccess(stored) ? { kind: 'session', id: stored.id, secret: stored.secret } : null;
  } catch {
    return null;
  }
}

export function keepSession(
  { sessionStorage }: Pick<Window, 'sessionStorage'>,
  { id, secret }: Pick<Access, 'id' | 'secret'>,
): void {
  sessionStorage.setItem(place, JSON.stringify({ id, secret }));
}

export function forgetSession({ sessionStorage }: Pick<Window, 'sessionStorage'>): void {
  sessionStorage.removeItem(place);
}
