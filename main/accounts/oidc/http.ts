import * as tls from 'node:tls';
import { Agent, buildConnector } from 'undici';
import { isLoopbackHost } from '../../contract/url-rules.ts';
import { HttpFailure, httpFailureOf } from './http-failure.ts';

/** What one request to a provider may take. */
export interface HttpLimits {
  connectMilliseconds: number;
  headersMilliseconds: number;
  totalMilliseconds: number;
  bodyBytes: number;
}

export const defaultHttpLimits: HttpLimits = {
  connectMilliseconds: 10_000,
  headersMilliseconds: 10_000,
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
    const connect = buildConnector({ timeout: limits.connectMilliseconds, secureContext: context });
    let connected = false;
    const agent = new Agent({
      allowH2: false,
      // No connection is kept: on one that the other side has just closed a refresh token's use would be unknown.
      pipelining: 0,
      headersTimeout: limits.headersMilliseconds,
      bodyTimeout: limits.headersMilliseconds,
      connect: (where, done) =>
        connect(where, (...outcome) => {
          connected ||= outcome[0] === null;
          done(...outcome);
        }),
    });
    const total = AbortSignal.timeout(limits.totalMilliseconds);
    const signal = AbortSignal.any(request.signal ? [total, request.signal] : [total]);
    try {
      const answer = await agent.request({
        origin: address.origin,
        path: `${address.pathname}${address.search}`,
        method: request.method as 'GET' | 'POST',
        headers: { ...Object.fromEntries(new Headers(request.headers)), 'accept-encoding': 'identity' },
        body: typeof request.body === 'string' ? request.body : (request.body?.toString() ?? null),
        signal,
      });
      const body = await readBounded(answer.body, limits.bodyBytes);
      const headers = new Headers();
      for (const name of keptHeaders) {
        headers.set(name, String(answer.headers[name] ?? ''));
        if (answer.headers[name] === undefined) {
          headers.delete(name);
        }
      }
      const empty = [204, 205, 304].includes(answer.statusCode);
      return new Response(empty ? null : body, { status: answer.statusCode, headers });
    } catch (error) {
      if (total.aborted) {
        throw new HttpFailure('timeout', connected);
      }
      throw signal.aborted ? new HttpFailure('cancelled', connected) : httpFailureOf(error, connected);
    } finally {
      void agent.destroy().catch(() => undefined);
    }
  };
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
