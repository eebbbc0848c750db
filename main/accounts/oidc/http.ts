import * as http from 'node:http';
import * as https from 'node:https';
import * as tls from 'node:tls';
import { isLoopbackHost } from '../../contract/url-rules.ts';
import { HttpFailure, httpFailureOf } from './http-failure.ts';

/** What one request to a provider may take. */
export interface HttpLimits {
  /** Until the TLS handshake is through. */
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
}

export interface HttpRequest {
  method: string;
  headers: Record<string, string> | Headers;
  body?: unknown;
  signal?: AbortSignal | null | undefined;
}

/** Throws HttpFailure alone. Redirects aren't followed; the whole body has been read when it resolves. */
export type Fetch = (url: string, request: HttpRequest) => Promise<Response>;

/** Headers of an answer that mean something to OAuth; no other is kept. */
const keptHeaders = ['content-type', 'www-authenticate', 'retry-after'] as const;

/** A bounded fetch for one provider. Each request has a connection of its own, so nothing stays open. */
export function createFetch(options: HttpOptions): Fetch {
  const { limits, loopbackHttp } = options;
  let context: tls.SecureContext | null = null;

  return async (url, request) => {
    const address = new URL(url);
    const allowed =
      address.protocol === 'https:' ||
      (address.protocol === 'http:' && loopbackHttp && isLoopbackHost(address.hostname));
    if (!allowed || address.username !== '' || address.password !== '') {
      throw new HttpFailure('insecureAddress', false);
    }
    context ??= tls.createSecureContext({ ca: authorities(options.certificateAuthorityPem) });
    const total = AbortSignal.timeout(limits.totalMilliseconds);
    const signal = AbortSignal.any(request.signal ? [total, request.signal] : [total]);
    const secure = address.protocol === 'https:';
    // A connection of its own: on one that the other side has just closed a refresh token's use would be unknown.
    const connecting: https.RequestOptions & tls.ConnectionOptions = {
      agent: false,
      secureContext: context,
      method: request.method,
      headers: { ...Object.fromEntries(new Headers(request.headers)), 'accept-encoding': 'identity' },
      signal,
    };
    const outgoing = secure ? https.request(address, connecting) : http.request(address, connecting);
    const connection = watchConnection(outgoing, secure, limits);
    try {
      const answer = await answerTo(outgoing, request.body);
      const body = await readBounded(answer, limits.bodyBytes);
      const headers = new Headers();
      for (const name of keptHeaders) {
        const value = answer.headers[name];
        if (value !== undefined) {
          headers.set(name, value);
        }
      }
      const status = answer.statusCode ?? 0;
      return new Response([204, 205, 304].includes(status) ? null : body, { status, headers });
    } catch (error) {
      if (total.aborted) {
        throw new HttpFailure('timeout', connection.made());
      }
      throw signal.aborted
        ? new HttpFailure('cancelled', connection.made())
        : httpFailureOf(error, connection.made());
    } finally {
      connection.dispose();
      outgoing.destroy();
    }
  };
}

/** Ends a request whose connection isn't made in time, or that falls silent; knows whether it was made. */
function watchConnection(outgoing: http.ClientRequest, secure: boolean, limits: HttpLimits) {
  let made = false;
  const limit = setTimeout(
    () => outgoing.destroy(new HttpFailure('timeout', false)),
    limits.connectMilliseconds,
  );
  outgoing.once('socket', (socket) => {
    socket.once(secure ? 'secureConnect' : 'connect', () => {
      made = true;
      clearTimeout(limit);
    });
  });
  outgoing.setTimeout(limits.silenceMilliseconds, () => outgoing.destroy(new HttpFailure('timeout', made)));
  return { made: () => made, dispose: () => clearTimeout(limit) };
}

/** Sends the request; the answer has begun when it resolves. */
function answerTo(outgoing: http.ClientRequest, body: unknown): Promise<http.IncomingMessage> {
  return new Promise((resolve, reject) => {
    outgoing.on('error', reject);
    outgoing.once('response', resolve);
    outgoing.end(body === undefined || body === null ? undefined : String(body));
  });
}

/** Node's own list and the system's, where a company's CA is; or the given one alone. */
function authorities(pem: string | null): string | string[] | undefined {
  // Node before 22.15 can't tell the system's list; its own counts there.
  if (pem !== null || typeof tls.getCACertificates !== 'function') {
    return pem ?? undefined;
  }
  return [...new Set([...tls.getCACertificates('default'), ...tls.getCACertificates('system')])];
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
