import { z } from 'zod';

/**
 * How a page is let in over a WebSocket; Electron's IPC needs none of it. Neither side ever sends a secret: each proves
 * by HMAC-SHA256 that it has the same one, over both nonces and the address, so that nothing recorded is of use again.
 *
 *     broker  challenge {nonce}
 *     page    prove {id, nonce, proof}       proof = HMAC(secret, "page\n" host "\n" broker's nonce "\n" page's nonce)
 *     broker  proved {proof, session?}       proof = HMAC(secret, "broker\n" host "\n" …)
 *
 * `id` names a ticket (once, from the address that opened the page) or a session (kept in sessionStorage). A ticket
 * becomes a session: its secret is HMAC(ticket's secret, "session\n" host "\n" …), known to both, said by none.
 * `host` is `127.0.0.1:PORT`. Secrets and nonces are 32 bytes, all in base64url.
 */
const bytes32 = z.base64url().length(43);
const id = z.string().regex(/^[A-Za-z0-9_-]{22}$/);

export const challengeMessage = z.object({ kind: z.literal('challenge'), nonce: bytes32 });
export const proveMessage = z.object({ kind: z.literal('prove'), id, nonce: bytes32, proof: bytes32 });
/** `session`: the id of the session that the ticket became. */
export const provedMessage = z.object({ kind: z.literal('proved'), proof: bytes32, session: id.optional() });

/** The text that is signed. */
export function proofText(
  what: 'page' | 'broker' | 'session',
  { host, brokerNonce, pageNonce }: { host: string; brokerNonce: string; pageNonce: string },
): string {
  return [what, host, brokerNonce, pageNonce].join('\n');
}

/** Close codes of the WebSocket (RFC 6455, 7.4.2: 4000 to 4999 are for private use). */
export const closeCodes = {
  /** The secret is not (or no longer) good here: only `lanyard ui` helps. */
  notLetIn: 4401,
  /** A message was broken, too large, or there were too many. */
  broken: 4400,
  /** Not used for long: the listener is closed. */
  idle: 4408,
  /** The broker ends. */
  ending: 4410,
} as const;

/** The fragment that opens a page: `#ticket=ID.SECRET`. */
export const ticketFragment = /^#ticket=([A-Za-z0-9_-]{22})\.([A-Za-z0-9_-]{43})$/;
