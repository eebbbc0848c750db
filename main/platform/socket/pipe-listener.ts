import { close } from 'node:fs';
import { Socket } from 'node:net';
import { Worker } from 'node:worker_threads';
import type { Disposable } from '../../base/disposables.ts';
import { BrokerError } from '../../contract/broker-error.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Log } from '../../ports/log.ts';
import { createSparingLog } from '../logging/sparing-log.ts';
import { connectionLimit, type Listener } from './listener.ts';

/** What the worker tells: that it listens, a connection, or why there was none. */
export type PipeMessage = { listening: true } | { descriptor: number } | { failure: string };

/** A thread that waits for connections. */
export interface PipeWorker {
  on(event: 'message', listener: (message: PipeMessage) => void): unknown;
  /** It has ended by itself. */
  on(event: 'error', listener: (error: unknown) => void): unknown;
  on(event: 'exit', listener: () => void): unknown;
  postMessage(message: 'end'): void;
}

export interface PipeListenerDeps {
  /** The pipe’s name, for errors. */
  name: string;
  log: Log;
  clock: Pick<Clock, 'boottime' | 'after'>;
  startWorker(): PipeWorker;
  /** Takes the descriptor over, also where it throws. */
  socketOf(descriptor: number): Socket;
}

/**
 * Runs in a worker, since `accept` blocks: one message per connection, a descriptor. Any message to it ends it, checked
 * each time no connection came for a second. One failure is that connection’s; many in a row end the worker, which is
 * then started anew.
 */
const acceptLoop = `
const { parentPort, workerData, receiveMessageOnPort } = require('node:worker_threads');
const { PipeListener } = require(workerData.addonPath);
const pipe = new PipeListener(workerData.name);
parentPort.postMessage({ listening: true });
const sleeping = new Int32Array(new SharedArrayBuffer(4));
let failures = 0;
while (receiveMessageOnPort(parentPort) === undefined) {
  try {
    const descriptor = pipe.accept(1000);
    failures = 0;
    if (descriptor !== null) parentPort.postMessage({ descriptor });
  } catch (error) {
    if (++failures > 20) throw error;
    parentPort.postMessage({ failure: String(error) });
    Atomics.wait(sleeping, 0, 0, 50);
  }
}
`;

/** A pipe’s name can’t be taken again while a connection of the lost listener is open. */
const againMilliseconds = 1_000;

/** Any program of the user can bring about a line. */
const logged = { atOnce: 20, perSecond: 1 };

/**
 * Windows: a named pipe with an owner-only ACL, made by the addon. libuv's own pipes let every user of the machine
 * read. A broker that hears no one any more listens again by itself, and says so in the log.
 */
export function createPipeListener(
  addonPath: string,
  deps: Pick<PipeListenerDeps, 'name' | 'log' | 'clock'>,
): Listener {
  const { name } = deps;
  return listenWith({
    ...deps,
    startWorker: () => new Worker(acceptLoop, { eval: true, workerData: { addonPath, name } }),
    socketOf,
  });
}

export function listenWith(deps: PipeListenerDeps): Listener {
  return async (onConnection) => {
    const listening = new Listening(deps, onConnection);
    await listening.start();
    return listening;
  };
}

class Listening implements Disposable {
  readonly #deps: PipeListenerDeps;
  readonly #log: Log;
  readonly #onConnection: (socket: Socket) => void;
  #worker: { ended: Promise<void>; end(): void } | null = null;
  #again: Disposable | null = null;
  #open = 0;
  #isDisposed = false;

  constructor(deps: PipeListenerDeps, onConnection: (socket: Socket) => void) {
    this.#deps = deps;
    this.#log = createSparingLog(deps.log, deps.clock, logged);
    this.#onConnection = onConnection;
  }

  /** Resolves when it listens. Throws BrokerError `socket.listen`. */
  start(): Promise<void> {
    const { name } = this.#deps;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const ended = Promise.withResolvers<void>();
    const worker = this.#deps.startWorker();
    let hears = false;
    let cause: unknown = null;
    worker.on('message', (message) => {
      if ('listening' in message) {
        hears = true;
        resolve();
      } else if ('descriptor' in message) {
        this.#take(message.descriptor);
      } else {
        this.#log.warn('connection.refused', { why: 'it could not be accepted', failure: message.failure });
      }
    });
    worker.on('error', (error) => {
      cause = error;
    });
    worker.on('exit', () => {
      this.#worker = null;
      ended.resolve();
      reject(new BrokerError('socket.listen', `can't listen at ${name}`, { cause }));
      if (hears && !this.#isDisposed) {
        this.#log.error('socket.lost', { name, error: cause });
        this.#listenAgain();
      }
    });
    this.#worker = { ended: ended.promise, end: () => worker.postMessage('end') };
    return promise;
  }

  async dispose(): Promise<void> {
    this.#isDisposed = true;
    await this.#again?.dispose();
    this.#worker?.end();
    await this.#worker?.ended;
  }

  #listenAgain(): void {
    this.#again = this.#deps.clock.after(againMilliseconds, () => {
      this.start().then(
        () => this.#log.info('socket.again', { name: this.#deps.name }),
        () => this.#isDisposed || this.#listenAgain(),
      );
    });
  }

  /** One connection’s failure is not the broker’s. */
  #take(descriptor: number): void {
    let socket: Socket;
    try {
      socket = this.#deps.socketOf(descriptor);
    } catch (error) {
      this.#log.warn('connection.refused', { why: 'its descriptor is none', error });
      return;
    }
    if (this.#isDisposed || this.#open >= connectionLimit) {
      socket.destroy();
      return;
    }
    this.#open += 1;
    socket.once('close', () => {
      this.#open -= 1;
    });
    socket.pause();
    this.#onConnection(socket);
  }
}

function socketOf(descriptor: number): Socket {
  try {
    return new Socket({ fd: descriptor, readable: true, writable: true, allowHalfOpen: true });
  } catch (error) {
    close(descriptor, () => undefined);
    throw error;
  }
}
