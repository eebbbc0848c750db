import { chmod, unlink } from 'node:fs/promises';
import { createServer } from 'node:net';
import { BrokerError } from '../../contract/broker-error.ts';
import { connectionLimit, type Listener } from './listener.ts';

/**
 * A Unix socket at `path`, for its owner alone. The caller holds the home's lock: what lies there is a dead broker's
 * (rule: owner-only).
 */
export function createUnixListener(path: string): Listener {
  return async (onConnection) => {
    const server = createServer({ pauseOnConnect: true, allowHalfOpen: true }, onConnection);
    server.maxConnections = connectionLimit;
    await unlink(path).catch(ignoreMissing);
    await new Promise<void>((resolve, reject) => {
      server.once('error', (cause) =>
        reject(new BrokerError('socket.listen', `can't listen at ${path}`, { cause })),
      );
      // The backlog takes a burst of helpers that start together; the system cuts it to its own limit.
      server.listen({ path, backlog: 4096 }, () => resolve());
    });
    await chmod(path, 0o600);
    return {
      dispose: async () => {
        await new Promise((resolve) => server.close(resolve));
        await unlink(path).catch(ignoreMissing);
      },
    };
  };
}

function ignoreMissing(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') {
    throw error;
  }
}
