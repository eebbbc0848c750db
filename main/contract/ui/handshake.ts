import { z } from 'zod';

/**
 * Lets a page in over a WebSocket; Electron’s IPC needs none of it. Neither side sends a secret: each proves by
 * HMAC-SHA256 over both nonces and the address that it has the same one, so a recording can’t be replayed.
 *
 *     broker  challenge {nonce}
 *     page    prove {id, nonce, proof}       proof = HMAC(secret, "page\n" host "\n" broker's nonce "\n" page's nonce)
 *     broker  proved {proof, session?}       proof = HMAC(secret, "broker\n" host "\n" …)
 *
 * `id` names a ticket (used once, from the address that opened the page) or a session (kept in sessionStorage). A
 * ticket becomes a session: both sides derive its secret HMAC(ticket's secret, "session\n" host "\n" …), and neither
 * sends it. `host` is `127.0.0.1:PORT`. Secrets and nonces are 32 bytes, in base64url.
 */
const bytes32 = z.base64url().length(43);
const id = z.string().regex(/^[A-Za-z0-9_-]{22}$/);

/** The broker’s first message. */
export const challengeMessage = z.object({ kind: z.literal('challenge'), nonce: bytes32 });
/** The page’s answer to the challenge. */
export const proveMessage = z.object({ kind: z.literal('prove'), id, nonce: bytes32, proof: bytes32 });
/** `session`: the id of the session that the ticket became. */
export const provedMessage = z.object({ kind: z.literal('proved'), proof: bytes32, session: id.optional() });

/** The text under the HMAC. */
export function proofText(
  what: 'page' | 'broker' | 'session',
  { host, brokerNonce, pageNonce }: { host: string; brokerNonce: string; pageNonce: string },
): string {
  return [what, host, brokerNonce, pageNonce].join('\n');
}

/** Close codes of the WebSocket (RFC 6455, 7.4.2: 4000 to 4999 are for private use). */
export const closeCodes = {
  /** The secret is not, or no longer, valid: a new page needs `lanyard ui`. */
  notLetIn: 4401,
  /** A message was invalid or too large, or there were too many. */
  broken: 4400,
  /** No page used the listener for a while: it is closed. */
  idle: 4408,
  /** The broker is shutting down. */
  ending: 4410,
} as const;

/** The fragment of the address that opens a page: `#ticket=ID.SECRET`. */
export const ticketFragment = /^#ticket=([A-Za-z0-9_-]{22})\.([A-Za-z0-9_-]{43})$/;
