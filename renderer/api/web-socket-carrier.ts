import type { Carrier, CarrierListener, Connection } from './carrier.ts';
import { type Access, forgetSession, keepSession, readSession, takeTicket } from './page-access.ts';
import { type Link, type LinkEnd, type LinkWindow, openLink } from './page-link.ts';
import { watchPresence } from './presence.ts';

/** Finds the broker soon after it starts. If it stays away, asks rarely. */
const waits = [200, 400, 800, 1_500, 3_000, 5_000, 10_000];

export type CarrierWindow = LinkWindow &
  Pick<
    Window,
    'history' | 'sessionStorage' | 'document' | 'addEventListener' | 'setInterval' | 'clearInterval'
  >;

/**
 * The carrier of the page that the headless broker serves. Logs in with a ticket or session, and reconnects
 * automatically. `onAsked`: the proof was sent, which the broker answers with the state.
 */
export function createWebSocketCarrier(window: CarrierWindow, onAsked: () => void = () => {}): Carrier {
  /** Takes the ticket before anything else runs: the address is visible, and users copy and save it. */
  let ticket = takeTicket(window);
  /** Only in memory while the broker is away: another program on its port could read the tab's storage. */
  let session = ticket ? null : readSession(window);
  let isLeaving = false;
  let link: Link | null = null;
  let isOpen = false;
  let goneSince: number | null = null;
  let tries = 0;
  let timer: number | undefined;
  let listener: CarrierListener | null = null;

  const tell = (connection: Connection) => listener?.onConnection(connection);

  function connect(): void {
    window.clearTimeout(timer);
    const access = ticket ?? session;
    if (!access) {
      tell({ kind: 'refused', why: words.none });
      return;
    }
    const mine = openLink(window, access, {
      onAsked,
      onOpen(became) {
        session = became ? { kind: 'session', ...became } : access;
        keepSession(window, session);
        ticket = null;
        isOpen = true;
        goneSince = null;
        tries = 0;
        tell({ kind: 'open' });
      },
      onMessage: (message) => listener?.onMessage(message),
      onEnd(end) {
        if (link === mine) {
          link = null;
          isOpen = false;
          ended(end, access);
        }
      },
    });
    link = mine;
  }

  function ended(end: LinkEnd, access: Access): void {
    // Opening the tab’s storage takes long: a page with a ticket doesn’t wait for it at its start.
    session ??= readSession(window);
    if (end === 'notLetIn' && access.kind === 'ticket') {
      // The ticket was used already, for example because the page was opened twice. The tab may have its own session.
      ticket = null;
      if (session) {
        connect();
        return;
      }
    }
    // A page that reloads keeps its session.
    if (!isLeaving) {
      forgetSession(window);
    }
    if (end !== 'gone') {
      ticket = null;
      session = null;
      tell({ kind: 'refused', why: words[access.kind === 'ticket' && end === 'notLetIn' ? 'used' : end] });
      return;
    }
    goneSince ??= Date.now();
    tell({ kind: 'gone', since: goneSince });
    timer = window.setTimeout(connect, waits[Math.min(tries, waits.length - 1)]);
    tries += 1;
  }

  function retry(): void {
    if (listener && goneSince !== null && !link) {
      tries = 0;
      connect();
    }
  }

  return {
    start(given) {
      listener = given;
      tell({ kind: 'connecting' });
      connect();
      watchPresence(window, {
        onSeen: retry,
        onPresent(input) {
          if (isOpen) {
            link?.send({ kind: 'present', input });
          }
        },
      });
      window.addEventListener('online', retry);
      window.addEventListener('pagehide', () => {
        isLeaving = true;
      });
      window.addEventListener('pageshow', () => {
        isLeaving = false;
      });
      // Entering the address of a new ticket in this tab doesn't reload the page.
      window.addEventListener('hashchange', () => {
        const taken = takeTicket(window);
        if (taken) {
          ticket = taken;
          const old = link;
          link = null;
          isOpen = false;
          old?.close();
          tell({ kind: 'connecting' });
          connect();
        }
      });
    },
    send: (message) => link?.send(message),
    retry,
  };
}

const words = {
  none: 'Open this page with: lanyard ui',
  used: 'This link has expired.',
  notLetIn: 'This session was revoked.',
  idle: 'This page was not used for 10 minutes, so Lanyard closed it.',
  stranger: 'A different program answered at this address. No data was sent.',
} as const;
