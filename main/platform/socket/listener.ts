import type { Socket } from 'node:net';
import type { Disposable } from '../../base/disposables.ts';

/**
 * Where helpers connect, one file per system. Resolves when it listens; each connection comes paused. Disposing it
 * ends the listening alone, not the connections that were made.
 */
export type Listener = (onConnection: (socket: Socket) => void) => Promise<Disposable>;

/** More connections than this are closed at once: a flood can't take the memory. */
export const connectionLimit = 1024;
