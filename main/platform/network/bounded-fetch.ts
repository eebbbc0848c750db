import { lookup as resolveName } from 'node:dns';
import * as http from 'node:http';
import * as https from 'node:https';
import { connect, isIP, type LookupFunction, type Socket } from 'node:net';
import * as tls from 'node:tls';
import type { Secret } from '../../base/secret.ts';
import { isLoopbackHost } from '../../contract/config/url-rules.ts';
import type { ProxyChoice } from './choose-proxy.ts';
import { type HeldKey, HeldTls } from './held-tls.ts';
import { HttpFailure, httpFailureOf } from './http-failure.ts';
import { connectWithin, openTunnel, tunnelTarget } from './open-tunnel.ts';
import { PausableLimit } from './pausable-limit.ts';
import { retryAfterSeconds } from './retry-after.ts';
import { tlsTrust } from './tls-trust.ts';

/** What one request to a provider may take (rule: bounded-input). */
export interface HttpLimits {
  /** Until the TLS handshake is through; a proxy's CONNECT counts with it, a held key’s signature doesn’t. */
  connectMilliseconds: number;
  /** In which nothing at all comes: before the answer begins, and within it. */
  silenceMilliseconds: number;
  totalMilliseconds: number;
  bodyBytes: number;
}

export const defaultHttpLimits: HttpLimits = {
  connectMilliseconds: 10_000,
  silenceMilliseconds: 10_000,
  totalMilliseconds: 15_000,
  bodyBytes: 1024 * 1024,
};

export interface HttpOptions {
  /** PEM of the only CAs that count; null: the system's and Node's. */
  certificateAuthorityPem: string | null;
  /** The issuer itself is http on loopback: then, and only then, plain http to loopback is taken. */
  loopbackHttp: boolean;
  limits: HttpLimits;
  /** How an address is reached; directly without it. */
  proxy?: (address: URL) => ProxyChoice;
  /**
   * Which IP addresses a connection may go to; any without it. The name is resolved once: an address that was allowed
   * is the one that is connected to. A proxy resolves names out of Lanyard’s sight: through one, only an address that
   * stands in the URL is checked.
   */
  allowsAddress?: (address: string) => boolean;
  /** Sent with each request; a request's own headers win. */
  extraHeaders?: Readonly<Record<string, string>>;
  /** The client certificate for servers that request one in TLS (RFC 8705). */
  clientCertificate?: { chainPem: string; keyPem: Secret } | HeldKey;
  /** Called with each answer, as soon as its headers are there. */
  onAnswer?: (answer: AnswerSeen) => void;
}

/** What a clock that is off shows by. */
export interface AnswerSeen {
  method: string;
  /** The `date` and `age` headers, as they came. */
  date: string | undefined;
  age: string | undefined;
  /** How long the answer took to begin. */
  tookMilliseconds: number;
}

export interface HttpRequest {
  method: string;
  headers: Record<string, string> | Headers;
  body?: unknown;
  signal?: AbortSignal | null | undefined;
  /** The answer’s status and headers say all: its body isn’t read, however large it is. */
  withoutBody?: true;
}

/** Throws only HttpFailure. Redirects aren't followed; the complete body has been read when it resolves, if it is read. */
export type Fetch = (url: string, request: HttpRequest) => Promise<Response>;

/**
 * Headers of an answer that OAuth uses, and the target of a redirect, which is read and never followed. No other is
 * kept except `retry-after`, as seconds.
 */
const keptHeaders = ['content-type', 'www-authenticate', 'location'] as const;

/** A bounded fetch for one provider. Each request has its own connection, so nothing stays open. */
export function createFetch(options: HttpOptions): Fetch {
  const { limits, loopbackHttp, clientCertificate } = options;
  const heldKey = clientCertificate?.keyPem === null ? clientCertificate : null;
  let made: ReturnType<typeof tlsOf> | null = null;
  const secured = () => {
    made ??= tlsOf(options);
    return made;
  };

  return async (url, request) => {
    const address = new URL(url);
    const secure = address.protocol === 'https:';
    const allowed =
      secure || (address.protocol === 'http:' && loopbackHttp && isLoopbackHost(address.hostname));
    if (!allowed || address.username !== '' || address.password !== '') {
      throw new HttpFailure('insecureAddress', false);
    }
    const { allowsAddress } = options;
    const bareHost = address.hostname.replace(/^\[|\]$/g, '');
    if (allowsAddress && isIP(bareHost) !== 0 && !allowsAddress(bareHost)) {
      throw new HttpFailure('closedAddress', false);
    }
    const choice = options.proxy?.(address) ?? { kind: 'direct' };
    if (choice.kind === 'unusable') {
      throw new HttpFailure('proxyUnusable', false, null, { proxy: choice.name });
    }
    const limit = new PausableLimit(limits.totalMilliseconds);
    const total = limit.signal;
    const signal = AbortSignal.any(request.signal ? [total, request.signal] : [total]);
    const connection = watchConnection(limits);
    let tunnel: Socket | null = null;
    let outgoing: http.ClientRequest | null = null;
    try {
      if (choice.kind === 'proxy') {
        tunnel = await openTunnel(
          choice.proxy,
          tunnelTarget(address),
          AbortSignal.any([signal, connection.tooSlow]),
        );
      }
      const startedAt = performance.now();
      const sending = {
        // A separate connection: on one that the other side has just closed, it would be unknown whether a refresh
        // token was used.
        ...(heldKey && secure
          ? {
              createConnection: overHeldKey(heldKey, tunnel, address, {
                options,
                signal,
                pausing: [limit, connection],
              }),
            }
          : tunnel
            ? { createConnection: through(tunnel, address, secured()), defaultPort: secure ? 443 : 80 }
            : { agent: false, ...secured(), ...lookupOf(options) }),
        method: request.method,
        headers: {
          ...lowerCased(options.extraHeaders),
          ...Object.fromEntries(new Headers(request.headers)),
          'accept-encoding': 'identity',
        },
        signal,
      };
      outgoing = secure ? https.request(address, sending) : http.request(address, sending);
      connection.watch(outgoing, tunnel !== null && !secure ? 'made' : secure ? 'secureConnect' : 'connect');
      const answer = await answerTo(outgoing, request.body);
      options.onAnswer?.({
        method: request.method,
        date: answer.headers.date,
        age: answer.headers.age,
        tookMilliseconds: performance.now() - startedAt,
      });
      const body = request.withoutBody ? null : await readBounded(answer, limits.bodyBytes);
      const status = answer.statusCode ?? 0;
      return new Response([204, 205, 304].includes(status) ? null : body, { status, headers: kept(answer) });
    } catch (error) {
      if (signal.aborted && !total.aborted) {
        throw new HttpFailure('cancelled', connection.made());
      }
      if (choice.kind === 'proxy' && tunnel === null && (total.aborted || connection.tooSlow.aborted)) {
        throw new HttpFailure('proxyTimeout', false, null, { proxy: choice.proxy.name });
      }
      throw total.aborted || connection.tooSlow.aborted
        ? new HttpFailure('timeout', connection.made())
        : httpFailureOf(error, connection.made());
    } finally {
      limit.end();
      connection.dispose();
      outgoing?.destroy();
      tunnel?.destroy();
    }
  };
}

/** Fails where any address of a name isn’t allowed (rule: realm-trust): which of them is used is up to the system. */
function checkedLookup(allowsAddress: (address: string) => boolean): LookupFunction {
  return (hostname, options, done) =>
    resolveName(hostname, { ...options, all: true }, (error, addresses) => {
      const [first] = addresses ?? [];
      if (error || !first) {
        done(error ?? new HttpFailure('unknownHost', false), '', 0);
      } else if (!addresses.every(({ address }) => allowsAddress(address))) {
        done(new HttpFailure('closedAddress', false), '', 0);
      } else if (options.all) {
        done(null, addresses);
      } else {
        done(null, first.address, first.family);
      }
    });
}

function tlsOf({ certificateAuthorityPem, clientCertificate }: HttpOptions) {
  const { checkServerIdentity, ...trust } = tlsTrust(certificateAuthorityPem);
  const own = clientCertificate?.keyPem && {
    cert: clientCertificate.chainPem,
    key: clientCertificate.keyPem.reveal(),
  };
  return { secureContext: tls.createSecureContext({ ...trust, ...own }), checkServerIdentity };
}

/** Ends a request whose connection isn't made in time, or that falls silent; knows whether it was made. */
function watchConnection(limits: HttpLimits) {
  let made = false;
  const slow = new PausableLimit(limits.connectMilliseconds);
  const onMade = () => {
    made = true;
    slow.end();
  };
  return {
    made: () => made,
    tooSlow: slow.signal,
    watch: (outgoing: http.ClientRequest, event: 'connect' | 'secureConnect' | 'made') => {
      slow.signal.addEventListener('abort', () => outgoing.destroy(new HttpFailure('timeout', false)));
      if (event === 'made') {
        onMade();
      } else {
        outgoing.once('socket', (socket) => socket.once(event, onMade));
      }
      // Told by `tooSlow`: once the answer has begun, what destroys a request is not what its reader sees.
      outgoing.setTimeout(limits.silenceMilliseconds, () => slow.abort());
    },
    pause: () => slow.pause(),
    resume: () => slow.resume(),
    dispose: () => slow.end(),
  };
}

function through(tunnel: Socket, address: URL, secured: ReturnType<typeof tlsOf>) {
  return () => connectWithin(tunnel, address, secured);
}

/** TLS with a client certificate whose key is elsewhere. */
function overHeldKey(
  key: HeldKey,
  tunnel: Socket | null,
  address: URL,
  of: {
    options: HttpOptions;
    signal: AbortSignal;
    pausing: readonly Pick<PausableLimit, 'pause' | 'resume'>[];
  },
) {
  const { options, signal, pausing } = of;
  const [host, port] = [address.hostname.replace(/^\[|\]$/g, ''), Number(address.port || 443)];
  return () =>
    new HeldTls(tunnel ?? connect({ host, port, ...lookupOf(options) }), host, {
      key,
      certificateAuthorityPem: options.certificateAuthorityPem,
      signal,
      // Someone may have to touch the token: that isn’t the server’s time.
      onSign: () => {
        for (const limit of pausing) {
          limit.pause();
        }
        return () => {
          for (const limit of pausing) {
            limit.resume();
          }
        };
      },
    });
}

function lookupOf({ allowsAddress }: HttpOptions): { lookup?: LookupFunction } {
  return allowsAddress ? { lookup: checkedLookup(allowsAddress) } : {};
}

function lowerCased(headers: Readonly<Record<string, string>> = {}): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

/** Sends the request; the answer has begun when it resolves. */
function answerTo(outgoing: http.ClientRequest, body: unknown): Promise<http.IncomingMessage> {
  return new Promise((resolve, reject) => {
    outgoing.on('error', reject);
    outgoing.once('response', resolve);
    // Of an answer that wants another protocol (101) nothing else is heard. After a response it changes nothing.
    outgoing.once('close', () => reject(new HttpFailure('broken', true)));
    outgoing.end(body === undefined || body === null ? undefined : String(body));
  });
}

function kept({ headers }: http.IncomingMessage): Headers {
  const result = new Headers();
  for (const name of keptHeaders) {
    const value = headers[name];
    if (value !== undefined) {
      result.set(name, value);
    }
  }
  const seconds = retryAfterSeconds(headers['retry-after'], headers.date, Date.now());
  if (seconds !== null) {
    result.set('retry-after', String(seconds));
  }
  return result;
}

async function readBounded(body: AsyncIterable<Uint8Array>, limit: number): Promise<Uint8Array<ArrayBuffer>> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  for await (const piece of body) {
    length += piece.byteLength;
    if (length > limit) {
      throw new HttpFailure('tooLarge', true);
    }
    pieces.push(piece);
  }
  return new Uint8Array(Buffer.concat(pieces));
}
