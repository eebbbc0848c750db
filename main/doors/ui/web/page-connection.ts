import { randomBytes } from 'node:crypto';
import type { WebSocket } from 'ws';
import { type Disposable, Disposables } from '../../../base/disposables.ts';
import { parseJson } from '../../../base/parse-json.ts';
import { closeCodes, readProve } from '../../../contract/ui/handshake.ts';
import type { Clock } from '../../../ports/clock.ts';
import type { Log } from '../../../ports/log.ts';
import type { UiSessionKey } from '../../../ports/vault.ts';
import type { UiDoor } from '../index.ts';
import type { UiSession } from '../session.ts';
import { createPageAllowance } from './page-allowance.ts';
import type { LetIn, PageKeys } from './page-keys.ts';

/** How long a page has for its proof. */
const proofMilliseconds = 5_000;
/** The most bytes of a proof; it has a few hundred. */
const proofLimit = 1_024;
/** A page answers a ping. After two without an answer its connection ends. */
const pingMilliseconds = 20_000;
/** The most bytes that wait to be read by a page. A whole state of 1,000 clusters is about 1 MB. */
const unreadLimitBytes = 16 * 1024 * 1024;
const closingMilliseconds = 1_000;

export interface PageConnectionDeps {
  clock: Clock;
  log: Log;
  host: string;
  keys: PageKeys;
  door: Pick<UiDoor, 'connect'>;
  /** Called when a page was let in. Resolves when the session would survive a kill of the broker. */
  onLetIn(letIn: LetIn): Promise<void>;
  /** Called when the page is used. */
  onUsed(by: 'page' | 'person', session: UiSessionKey): void;
}

/** One page's WebSocket. */
export interface PageConnection extends Disposable {
  /** The session, once the page has proved it; null before. */
  session(): UiSessionKey | null;
  close(code: number): void;
}

/** Lets a page in, then carries its messages, within limits. */
export function servePage(socket: WebSocket, deps: PageConnectionDeps): PageConnection {
  const { clock, host, keys } = deps;
  const ending = new Disposables();
  const brokerNonce = randomBytes(32).toString('base64url');
  const allowance = createPageAllowance(clock);
  let state: 'waiting' | 'proving' | 'closed' | { session: UiSessionKey; ui: UiSession } = 'waiting';
  let pingsOpen = 0;

  function send(message: object): void {
    if (state === 'closed') {
      return;
    }
    if (socket.bufferedAmount > unreadLimitBytes) {
      // The page doesn’t read: a close code would wait behind the rest. It reconnects, and gets a whole state.
      end();
      socket.terminate();
      return;
    }
    socket.send(JSON.stringify(message));
  }

  function end(): void {
    state = 'closed';
    void ending.dispose();
  }

  function close(code: number): void {
    if (state === 'closed') {
      return;
    }
    end();
    socket.close(code);
    const limit = clock.after(closingMilliseconds, () => socket.terminate());
    socket.once('close', () => limit.dispose());
  }

  async function letIn(text: string): Promise<void> {
    const prove = readProve(text.length > proofLimit ? null : parseJson(text));
    if (!prove) {
      close(closeCodes.broken);
      return;
    }
    const found = keys.letIn(prove, { host, brokerNonce, pageNonce: prove.nonce });
    if (!found) {
      deps.log.warn('ui.notLetIn');
      close(closeCodes.notLetIn);
      return;
    }
    state = 'proving';
    const { session, proof, isNew } = found;
    // The state is read while the session is written, and sent after the proof.
    let held: object[] | null = [];
    const ui = deps.door.connect({
      send: (message) => (held ? void held.push(message) : send(message)),
      refuse: () => close(closeCodes.broken),
      used: (by) => deps.onUsed(by, session),
    });
    ending.add(ui);
    await deps.onLetIn(found);
    // The page may have disconnected meanwhile.
    if (state !== 'proving') {
      return;
    }
    state = { session, ui };
    send({ kind: 'proved', proof, ...(isNew && { session: session.id }) });
    held.forEach(send);
    held = null;
    unproved.dispose();
  }

  /** Control frames count, too: they cost as much. */
  function isTooMuch(size: number): boolean {
    const within = allowance.take(size);
    if (!within) {
      deps.log.warn('ui.flood');
      close(closeCodes.broken);
    }
    return !within;
  }

  const unproved = ending.add(clock.after(proofMilliseconds, () => close(closeCodes.broken)));
  let pings = clock.after(pingMilliseconds, ping);
  ending.add({ dispose: () => pings.dispose() });
  function ping(): void {
    // An expired session gets no more state, even if its page sends nothing.
    if (typeof state === 'object' && !keys.isGood(state.session)) {
      close(closeCodes.notLetIn);
      return;
    }
    if (pingsOpen >= 2) {
      end();
      socket.terminate();
      return;
    }
    pingsOpen += 1;
    socket.ping();
    pings = clock.after(pingMilliseconds, ping);
  }

  socket.on('pong', () => {
    pingsOpen = 0;
    isTooMuch(0);
  });
  socket.on('ping', () => isTooMuch(0));
  // `close` follows. What was wrong (too large, not UTF-8, not masked) is the page’s fault.
  socket.on('error', () => undefined);
  socket.on('close', end);
  socket.on('message', (data: Buffer, isBinary: boolean) => {
    if (state === 'closed' || isTooMuch(data.length)) {
      return;
    }
    if (isBinary || state === 'proving') {
      close(closeCodes.broken);
    } else if (state === 'waiting') {
      letIn(data.toString('utf8')).catch((error: unknown) => {
        deps.log.error('ui.letIn', { error });
        close(closeCodes.broken);
      });
    } else if (!keys.isGood(state.session)) {
      close(closeCodes.notLetIn);
    } else {
      state.ui.receive(data.toString('utf8'));
    }
  });
  send({ kind: 'challenge', nonce: brokerNonce });
  return {
    session: () => (typeof state === 'object' ? state.session : null),
    close,
    dispose: () => close(closeCodes.ending),
  };
}
