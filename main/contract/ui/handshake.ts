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
const bytes32 = /^[A-Za-z0-9_-]{43}$/;
const idForm = /^[A-Za-z0-9_-]{22}$/;

/** The broker’s first message. */
export interface Challenge {
  nonce: string;
}

/** The page’s answer to the challenge. */
export interface Prove {
  id: string;
  nonce: string;
  proof: string;
}

export interface Proved {
  proof: string;
  /** The id of the session that the ticket became. */
  session?: string;
}

/** Null: the value is no challenge. */
export function readChallenge(value: unknown): Challenge | null {
  return isMessage<Challenge>(value, 'challenge', { nonce: bytes32 }) ? value : null;
}

/** Null: the value is no answer to a challenge. */
export function readProve(value: unknown): Prove | null {
  return isMessage<Prove>(value, 'prove', { id: idForm, nonce: bytes32, proof: bytes32 }) ? value : null;
}

/** Null: the value is no proof of the broker. */
export function readProved(value: unknown): Proved | null {
  const hasSession = Object(value).session !== undefined;
  const forms = { proof: bytes32, ...(hasSession && { session: idForm }) };
  return isMessage<Proved>(value, 'proved', forms) ? value : null;
}

/** What a page keeps of its session: an id and a secret. */
export function isAccess(value: unknown): value is { id: string; secret: string } {
  return has(value, { id: idForm, secret: bytes32 });
}

function isMessage<Message>(value: unknown, kind: string, forms: Forms): value is Message {
  return Object(value).kind === kind && has(value, forms);
}

type Forms = Readonly<Record<string, RegExp>>;

/** Without a schema: the page answers the challenge before it has loaded a library. */
function has(value: unknown, forms: Forms): boolean {
  const fields: Record<string, unknown> = Object(value);
  return Object.entries(forms).every(([name, form]) => {
    const text = fields[name];
    return typeof text === 'string' && form.test(text);
  });
}

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
