'use strict';
/* The language and the web's parts that V8 10.8 and Node 16 lack. */
require('core-js/full');
const streams = require('node:stream/web');
const { webcrypto } = require('node:crypto');
const { Blob } = require('node:buffer');

// core-js can't transfer a stream; undici wants no more than the stream itself.
const clone = globalThis.structuredClone;
globalThis.structuredClone = (value, ...rest) =>
  value instanceof streams.ReadableStream ? value : clone(value, ...rest);
const undici = require('undici');

// jose asks for its name.
Object.defineProperty(webcrypto.CryptoKey.prototype, Symbol.toStringTag, {
  value: 'CryptoKey',
  configurable: true,
});

class CustomEvent extends Event {
  constructor(type, { detail = null } = {}) {
    super(type);
    this.detail = detail;
  }
}

const { fetch, Response, Request, Headers, FormData } = undici;
const missing = {
  ...streams,
  ...{ Blob, CustomEvent, fetch, Response, Request, Headers, FormData },
  ...{ crypto: webcrypto, CryptoKey: webcrypto.CryptoKey },
};
for (const [name, value] of Object.entries(missing)) {
  if (globalThis[name] === undefined) {
    Object.defineProperty(globalThis, name, { value, writable: true, configurable: true });
  }
}

AbortSignal.any ??= (signals) => {
  const control = new AbortController();
  const abort = ({ reason }) => {
    Object.defineProperty(control.signal, 'reason', { value: reason, configurable: true });
    control.abort(reason);
  };
  const aborted = signals.find((each) => each.aborted);
  if (aborted) {
    abort(aborted);
  } else {
    for (const signal of signals) {
      signal.addEventListener('abort', () => abort(signal), { once: true });
    }
  }
  return control.signal;
};
