import { closeCodes, type Proved, readChallenge, readProved } from '../../main/contract/ui/handshake.ts';
import type { PageMessage } from '../../main/contract/ui/messages.ts';
import { newNonce, type ProofParts, proofsOf } from './handshake-proofs.ts';
import type { Access } from './page-access.ts';

/** How a connection ended. */
export type LinkEnd =
  /** The broker is not reachable, or announces that it ends. */
  | 'gone'
  /** The broker doesn't accept the secret. */
  | 'notLetIn'
  | 'idle'
  /** The server doesn't have the same secret: it is not the broker. */
  | 'stranger';

export interface LinkListener {
  /** This side's proof was sent. */
  onAsked(): void;
  /** Both sides have proved that they know the secret. `session`: what the ticket was exchanged for. */
  onOpen(session: { id: string; secret: string } | null): void;
  /** The JSON value of a message. */
  onMessage(message: unknown): void;
  /** Called once. Nothing follows it. */
  onEnd(end: LinkEnd): void;
}

export interface Link {
  send(message: PageMessage): void;
  close(): void;
}

/** How long the broker may take to answer. */
const patienceMilliseconds = 10_000;

export type LinkWindow = Pick<
  Window & typeof globalThis,
  'location' | 'crypto' | 'WebSocket' | 'setTimeout' | 'clearTimeout'
>;

/** One connection. Exchanges proofs, and trusts nothing before the broker's proof. */
export function openLink(window: LinkWindow, access: Access, listener: LinkListener): Link {
  const { host } = window.location;
  const socket = new window.WebSocket(`ws://${host}/`);
  let state: 'challenge' | 'proved' | 'open' | 'ended' = 'challenge';
  let parts: ProofParts | null = null;
  let work: Promise<void> = Promise.resolve();
  const patience = window.setTimeout(() => end('gone'), patienceMilliseconds);

  function end(how: LinkEnd): void {
    if (state !== 'ended') {
      state = 'ended';
      window.clearTimeout(patience);
      socket.close();
      listener.onEnd(how);
    }
  }

  async function take(value: unknown): Promise<void> {
    if (state === 'challenge') {
      const challenge = readChallenge(value);
      if (!challenge) {
        end('gone');
        return;
      }
      parts = { host, brokerNonce: challenge.nonce, pageNonce: newNonce(window.crypto) };
      state = 'proved';
      const proof = await (await proofsOf(access.secret, window.crypto)).page(parts);
      socket.send(JSON.stringify({ kind: 'prove', id: access.id, nonce: parts.pageNonce, proof }));
      listener.onAsked();
    } else if (state === 'proved' && parts) {
      const proved = readProved(value);
      if (!proved) {
        end('gone');
        return;
      }
      await believe(proved, parts);
    } else if (state === 'open') {
      listener.onMessage(value);
    }
  }

  async function believe({ proof, session }: Proved, signed: ProofParts): Promise<void> {
    const proofs = await proofsOf(access.secret, window.crypto);
    if (!(await proofs.isBrokers(proof, signed)) || (access.kind === 'ticket' && session === undefined)) {
      end('stranger');
      return;
    }
    const became =
      access.kind === 'ticket' && session !== undefined
        ? { id: session, secret: await proofs.sessionSecret(signed) }
        : null;
    if (state === 'proved') {
      state = 'open';
      window.clearTimeout(patience);
      listener.onOpen(became);
    }
  }

  socket.onmessage = ({ data }) => {
    // Keeps the order: a proof takes time, and messages after it wait.
    work = work.then(() => take(JSON.parse(String(data)))).catch(() => end('gone'));
  };
  socket.onclose = ({ code }) => {
    work = work.then(() => end(endOf(code)));
  };
  return {
    send(message) {
      if (state === 'open') {
        socket.send(JSON.stringify(message));
      }
    },
    close: () => end('gone'),
  };
}

function endOf(code: number): LinkEnd {
  return code === closeCodes.notLetIn ? 'notLetIn' : code === closeCodes.idle ? 'idle' : 'gone';
}
