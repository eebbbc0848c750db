import { EventEmitter } from 'node:events';
import { Socket } from 'node:net';
import { expect, test } from 'vitest';
import { ManualClock } from '../../../test/support/manual-clock.ts';
import { silentLog } from '../../ports/log.ts';
import { connectionLimit } from './listener.ts';
import { listenWith, type PipeMessage, type PipeWorker } from './pipe-listener.ts';

class FakeWorker extends EventEmitter implements PipeWorker {
  isAsked = false;

  postMessage(): void {
    this.isAsked = true;
    this.emit('exit');
  }

  says(message: PipeMessage): void {
    this.emit('message', message);
  }

  falls(error: Error): void {
    this.emit('error', error);
    this.emit('exit');
  }
}

async function listening() {
  const clock = new ManualClock();
  const workers: FakeWorker[] = [];
  const sockets: Socket[] = [];
  const lines: string[] = [];
  const write = (line: string) => void lines.push(line);
  const listen = listenWith({
    name: 'pipe',
    clock,
    log: { ...silentLog, info: write, warn: write, error: write },
    startWorker: () => {
      const worker = new FakeWorker();
      workers.push(worker);
      return worker;
    },
    socketOf: (descriptor) => {
      if (descriptor < 0) {
        throw new Error('ERR_INVALID_FD_TYPE');
      }
      return new Socket();
    },
  });
  const started = listen((socket) => void sockets.push(socket));
  const at = (index: number) => workers[index] as FakeWorker;
  return { clock, workers, sockets, lines, started, at };
}

test('a pipe that can’t be made is an error of the start', async () => {
  const { started, at } = await listening();
  at(0).falls(new Error('taken'));
  await expect(started).rejects.toMatchObject({ code: 'socket.listen', cause: { message: 'taken' } });
});

test('a connection that fails is that one’s: the next is served', async () => {
  const { started, at, sockets, lines } = await listening();
  at(0).says({ listening: true });
  await started;
  at(0).says({ descriptor: -1 });
  at(0).says({ failure: 'no descriptor is left' });
  at(0).says({ descriptor: 3 });
  expect([sockets.length, lines]).toEqual([1, ['connection.refused', 'connection.refused']]);
  expect(sockets[0]?.isPaused()).toBe(true);
});

test('a listener that is lost is said, and started again until it listens', async () => {
  const { started, at, workers, sockets, lines, clock } = await listening();
  at(0).says({ listening: true });
  await started;
  at(0).falls(new Error('the pipe broke'));
  expect(lines).toEqual(['socket.lost']);
  clock.advance(1_000);
  // A connection of the first one is still open.
  at(1).falls(new Error('taken'));
  await new Promise((resolve) => setImmediate(resolve));
  clock.advance(1_000);
  at(2).says({ listening: true });
  at(2).says({ descriptor: 3 });
  await new Promise((resolve) => setImmediate(resolve));
  expect([workers.length, sockets.length, lines]).toEqual([3, 1, ['socket.lost', 'socket.again']]);
});

test('no more connections than a Unix socket’s are open at once', async () => {
  const { started, at, sockets } = await listening();
  at(0).says({ listening: true });
  await started;
  for (let descriptor = 0; descriptor < connectionLimit + 5; descriptor++) {
    at(0).says({ descriptor });
  }
  expect(sockets.length).toBe(connectionLimit);
  const [first] = sockets;
  const closed = new Promise((resolve) => first?.once('close', resolve));
  first?.destroy();
  await closed;
  at(0).says({ descriptor: 9 });
  expect(sockets.length).toBe(connectionLimit + 1);
});

test('disposed, it ends its worker, and listens no more', async () => {
  const { started, at, workers, clock } = await listening();
  at(0).says({ listening: true });
  await (await started).dispose();
  expect(at(0).isAsked).toBe(true);
  clock.advance(5_000);
  expect(workers.length).toBe(1);
});

test('disposed while it waits to listen again, it starts no worker', async () => {
  const { started, at, workers, clock } = await listening();
  at(0).says({ listening: true });
  const running = await started;
  at(0).falls(new Error('the pipe broke'));
  await running.dispose();
  clock.advance(5_000);
  expect(workers.length).toBe(1);
});
