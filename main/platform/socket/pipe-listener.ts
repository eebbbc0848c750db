import { Socket } from 'node:net';
import { Worker } from 'node:worker_threads';
import { BrokerError } from '../../contract/broker-error.ts';
import type { Listener } from './listener.ts';

/**
 * Runs in a worker, since `accept` blocks: one message per connection, a descriptor. A second message ends it,
 * checked each time no connection came for a second.
 */
const acceptLoop = `
const { parentPort, workerData, receiveMessageOnPort } = require('node:worker_threads');
const { PipeListener } = require(workerData.addonPath);
const pipe = new PipeListener(workerData.name);
parentPort.postMessage({ listening: true });
while (receiveMessageOnPort(parentPort) === undefined) {
  const descriptor = pipe.accept(1000);
  if (descriptor !== null) parentPort.postMessage({ descriptor });
}
`;

/**
 * Windows, not yet run: a named pipe with an owner-only ACL, made by the addon. libuv's own pipes let every user of the
 * machine read.
 */
export function createPipeListener(addonPath: string, name: string): Listener {
  return (onConnection) =>
    new Promise((resolve, reject) => {
      const worker = new Worker(acceptLoop, { eval: true, workerData: { addonPath, name } });
      worker.once('error', (cause) =>
        reject(new BrokerError('socket.listen', `can't listen at ${name}`, { cause })),
      );
      worker.on('message', (message: { listening?: true; descriptor?: number }) => {
        if (message.descriptor !== undefined) {
          const socket = new Socket({
            fd: message.descriptor,
            readable: true,
            writable: true,
            allowHalfOpen: true,
          });
          socket.pause();
          onConnection(socket);
          return;
        }
        resolve({
          dispose: async () => {
            const ended = new Promise((done) => worker.once('exit', done));
            worker.postMessage('end');
            await ended;
          },
        });
      });
    });
}
