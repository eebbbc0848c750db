import type { Socket } from 'node:net';
import type { Disposable } from '../base/disposables.ts';
import type { BrokerFrame } from '../contract/frames.ts';
import type { Clock } from '../ports/clock.ts';
import { encodeFrame } from './frame-codec.ts';

/** A peer that takes nothing for this long is dropped: a slow reader holds nothing up. */
const stalledMilliseconds = 10_000;

/** Writes frames to one helper. Nothing is kept for a peer that doesn't read: it is cut off. */
export class Outgoing {
  readonly #socket: Socket;
  readonly #clock: Clock;
  #stalled: Disposable | null = null;

  constructor(socket: Socket, clock: Clock) {
    this.#socket = socket;
    this.#clock = clock;
    socket.on('drain', () => this.#flowing());
    socket.on('close', () => this.#flowing());
  }

  /** Sends frames in one write. */
  send(...frames: BrokerFrame[]): void {
    if (!this.#socket.writable) {
      return;
    }
    const bytes =
      frames.length === 1 && frames[0] ? encodeFrame(frames[0]) : Buffer.concat(frames.map(encodeFrame));
    if (!this.#socket.write(bytes)) {
      this.#watchStall();
    }
  }

  /** Sends the last frames and ends the connection, whatever the peer does. */
  end(...frames: BrokerFrame[]): void {
    this.send(...frames);
    this.#socket.end();
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
