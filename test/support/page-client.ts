import { createHmac, randomBytes } from 'node:crypto';
import { WebSocket } from 'ws';
import { proofText, ticketFragment } from '../../main/contract/ui/handshake.ts';

/** What a page has to prove itself by. */
export interface PageSecret {
  id: string;
  secret: string;
}

/** A page's side of the WebSocket, with which a test may do what no page does. */
export interface PageClient {
  readonly socket: WebSocket;
  /** The next message, in order. Rejects with the close code where none comes. */
  next(): Promise<Record<string, unknown>>;
  /** Messages until one is of this kind. */
  until(kind: string): Promise<Record<string, unknown>>;
  send(message: unknown): void;
  /** The close code; 1006 where the connection just ended. */
  readonly closed: Promise<number>;
}

/** What stands in an address that `lanyard ui --no-open` prints. */
export function readAddress(address: string): { host: string; ticket: PageSecret } {
  const { host, hash } = new URL(address.trim());
  const [, id = '', secret = ''] = ticketFragment.exec(hash) ?? [];
  return { host, ticket: { id, secret } };
}

/** Connects as a page of this address would, unless `headers` say otherwise. Rejects with the status of a refusal. */
export function connectPage(
  host: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<PageClient> {
  return new Promise((resolve, reject) => {
    const { origin = `http://${host}`, ...others } = headers;
    const socket = new WebSocket(`ws://${host}/`, { headers: { ...others, ...(origin && { origin }) } });
    const come: Record<string, unknown>[] = [];
    let wake: () => void = () => undefined;
    let code: number | null = null;
    socket.on('message', (data) => {
      come.push(JSON.parse(String(data)));
      wake();
    });
    const closed = new Promise<number>((ended) => {
      socket.on('close', (given) => {
        code = given;
        wake();
        ended(given);
      });
    });
    const next = async () => {
      for (;;) {
        const message = come.shift();
        if (message) {
          return message;
        }
        if (code !== null) {
          throw new Error(`closed with ${code}`);
        }
        await new Promise<void>((resolve) => (wake = resolve));
      }
    };
    socket.on('unexpected-response', (request, response) => {
      request.destroy();
      reject(new Error(`status ${response.statusCode}`));
    });
    socket.on('error', reject);
    socket.on('open', () =>
      resolve({
        socket,
        next,
        async until(kind) {
          for (;;) {
            const message = await next();
            if (message['kind'] === kind) {
              return message;
            }
          }
        },
        send: (message) => socket.send(typeof message === 'string' ? message : JSON.stringify(message)),
        closed,
      }),
    );
  });
}

function sign(secret: string, what: 'page' | 'broker' | 'session', parts: Parameters<typeof proofText>[1]) {
  return createHmac('sha256', Buffer.from(secret, 'base64url'))
    .update(proofText(what, parts))
    .digest('base64url');
}

/** The proof that answers `challenge`, and what to make of the answer. */
export function answerTo(challenge: Record<string, unknown>, host: string, { id, secret }: PageSecret) {
  const parts = {
    host,
    brokerNonce: String(challenge['nonce']),
    pageNonce: randomBytes(32).toString('base64url'),
  };
  return {
    prove: { kind: 'prove', id, nonce: parts.pageNonce, proof: sign(secret, 'page', parts) },
    brokersProof: sign(secret, 'broker', parts),
    sessionSecret: sign(secret, 'session', parts),
  };
}

/** Connects and proves itself; checks the broker's proof. Gives the session, too, that a ticket became. */
export async function openPage(
  host: string,
  secret: PageSecret,
): Promise<{ page: PageClient; session: PageSecret }> {
  const page = await connectPage(host);
  const { prove, brokersProof, sessionSecret } = answerTo(await page.next(), host, secret);
  page.send(prove);
  const proved = await page.next();
  if (proved['kind'] !== 'proved' || proved['proof'] !== brokersProof) {
    throw new Error(`no proof of the broker's: ${JSON.stringify(proved)}`);
  }
  const { session } = proved;
  return { page, session: typeof session === 'string' ? { id: session, secret: sessionSecret } : secret };
}
