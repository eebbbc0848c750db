import type { Socket } from 'node:net';
import type { Disposable } from '../../base/disposables.ts';
import { type BrokerFrame, frameLimitBytes } from '../../contract/frames.ts';
import type { Clock } from '../../ports/clock.ts';
import { encodeFrame } from './frame-codec.ts';

export interface OutgoingDeps {
  socket: Socket;
  clock: Pick<Clock, 'after'>;
  /** A peer that takes nothing for this long is dropped: a slow reader holds nothing up. */
  patienceMilliseconds: number;
  onStalled(): void;
}

/** More than two of the largest frames are kept for this long at most, in milliseconds. */
const patienceWithMuch = 10_000;
const heldBytes = 2 * frameLimitBytes;

/** Writes frames to one helper. Nothing is kept for long for a peer that doesn't read: it is cut off. */
export class Outgoing {
  readonly #socket: Socket;
  readonly #deps: OutgoingDeps;
  #stalled: Disposable | null = null;
  /** While it is stalled: it holds more than `heldBytes`. */
  #isMuch = false;
  #prepared: BrokerFrame[] = [];

  constructor(deps: OutgoingDeps) {
    const { socket } = deps;
    this.#socket = socket;
    this.#deps = deps;
    socket.on('drain', () => this.#flowing());
    socket.on('close', () => this.#flowing());
  }

  /** Sends the frame with the next one in one write, or alone when none follows immediately. */
  prepare(frame: BrokerFrame): void {
    this.#prepared.push(frame);
    setImmediate(() => this.send());
  }

  /** Sends frames, those prepared before first, in one write. Throws RangeError for one above the limit. */
  send(...frames: BrokerFrame[]): void {
    const all = [...this.#prepared, ...frames];
    if (all.length === 0 || !this.#socket.writable) {
      return;
    }
    const bytes = Buffer.concat(all.map(encodeFrame));
    this.#prepared = [];
    if (!this.#socket.write(bytes)) {
      this.#watchStall();
    }
  }

  /** Sends the last frames and ends the connection, whatever the peer does. */
  end(...frames: BrokerFrame[]): void {
    this.send(...frames);
    this.#socket.destroySoon();
    this.#watchStall();
  }

  #watchStall(): void {
    const { clock, patienceMilliseconds, onStalled } = this.#deps;
    const isMuch = this.#socket.writableLength > heldBytes;
    if (this.#socket.destroyed || (this.#stalled && (this.#isMuch || !isMuch))) {
      return;
    }
    this.#isMuch = isMuch;
    this.#stalled?.dispose();
    this.#stalled = clock.after(
      isMuch ? Math.min(patienceWithMuch, patienceMilliseconds) : patienceMilliseconds,
      () => {
        onStalled();
        this.#socket.destroy();
      },
    );
  }

  #flowing(): void {
    if (!this.#socket.writableEnded || this.#socket.destroyed) {
      this.#stalled?.dispose();
      this.#stalled = null;
    }
  }
}
