import type { Socket } from 'node:net';
import type { Disposable } from '../../base/disposables.ts';
import type { BrokerFrame } from '../../contract/frames.ts';
import type { Clock } from '../../ports/clock.ts';
import { encodeFrame } from './frame-codec.ts';

/** A peer that takes nothing for this long is dropped: a slow reader holds nothing up. */
const stalledMilliseconds = 10_000;

/** Writes frames to one helper. Nothing is kept for a peer that doesn't read: it is cut off. */
export class Outgoing {
  readonly #socket: Socket;
  readonly #clock: Clock;
  #stalled: Disposable | null = null;
  #prepared: BrokerFrame[] = [];

  constructor(socket: Socket, clock: Clock) {
    this.#socket = socket;
    this.#clock = clock;
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
    this.#stalled ??= this.#clock.after(stalledMilliseconds, () => this.#socket.destroy());
  }

  #flowing(): void {
    if (!this.#socket.writableEnded || this.#socket.destroyed) {
      this.#stalled?.dispose();
      this.#stalled = null;
    }
  }
}
