'use strict';
/* Node's own parts, 17 to 24. */
const buffer = require('node:buffer');
const crypto = require('node:crypto');
const fs = require('node:fs');
const Module = require('node:module');
const os = require('node:os');
const path = require('node:path');
const timers = require('node:timers/promises');

crypto.hash ??= (algorithm, data, encoding = 'hex') => {
  const made = crypto.createHash(algorithm).update(data);
  return encoding === 'buffer' ? made.digest() : made.digest(encoding);
};
buffer.isUtf8 ??= (bytes) => {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
};
buffer.isAscii ??= (bytes) => Buffer.from(bytes).every((each) => each < 128);
require('node:events').addAbortListener ??= (signal, listener) => {
  signal.addEventListener('abort', listener, { once: true });
  return { [Symbol.dispose]: () => signal.removeEventListener('abort', listener) };
};
os.availableParallelism ??= () => os.cpus().length;
timers.scheduler ??= { wait: timers.setTimeout, yield: timers.setImmediate };

/** A channel that nobody listens to. */
const channel = {
  hasSubscribers: false,
  publish() {},
  runStores: (_context, run, it, ...words) => run.apply(it, words),
};
require('node:diagnostics_channel').tracingChannel ??= () => ({
  hasSubscribers: false,
  traceSync: (run, _context, it, ...words) => run.apply(it, words),
  tracePromise: (run, _context, it, ...words) => run.apply(it, words),
  traceCallback: (run, _at, _context, it, ...words) => run.apply(it, words),
  subscribe() {},
  unsubscribe() {},
  ...{ start: channel, end: channel, asyncStart: channel, asyncEnd: channel, error: channel },
});

for (const protocol of [require('node:http'), require('node:https')]) {
  // It hears the signal only until the request is sent.
  const { request } = protocol;
  protocol.request = (...words) => {
    const made = request(...words);
    const signal = words.find((each) => each?.signal)?.signal;
    const abort = () => made.destroy(new Error('aborted'));
    signal?.addEventListener('abort', abort, { once: true });
    return made.once('close', () => signal?.removeEventListener('abort', abort));
  };
  const { Server } = protocol;
  if (Server.prototype.closeAllConnections === undefined) {
    const sockets = new WeakMap();
    const { listen } = Server.prototype;
    Server.prototype.listen = function (...words) {
      const open = new Set();
      sockets.set(this, open);
      this.on('connection', (socket) => {
        open.add(socket);
        socket.once('close', () => open.delete(socket));
      });
      return listen.apply(this, words);
    };
    Server.prototype.closeAllConnections = function () {
      for (const socket of sockets.get(this) ?? []) {
        socket.destroy();
      }
    };
    Server.prototype.closeIdleConnections = () => undefined;
  }
}

const { readdir } = fs.promises;
async function walk(folder, { recursive }) {
  const found = [];
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    found.push(Object.assign(entry, { parentPath: folder, path: folder }));
    if (recursive && entry.isDirectory()) {
      found.push(...(await walk(path.join(folder, entry.name), { recursive })));
    }
  }
  return found;
}
fs.promises.readdir = (folder, wanted) =>
  typeof wanted === 'object' && wanted?.withFileTypes
    ? walk(String(folder), wanted)
    : readdir(folder, wanted);

const load = Module._load;
Module._load = function (name, ...rest) {
  return name === 'node:sqlite' ? require('./sqlite.cjs') : load.call(this, name, ...rest);
};
