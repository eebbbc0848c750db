import type { IncomingMessage } from 'node:http';
import { GatheredBytes } from '../base/gathered-bytes.ts';
import { parseJson } from '../base/parse-json.ts';
import { refuse } from '../contract/refusal.ts';
import { visibleLine } from '../domain/text/visible-text.ts';
import { HttpFailure, httpFailureKind } from '../platform/network/http-failure.ts';
import { retryAfterSeconds } from '../platform/network/retry-after.ts';

/** The mark of the request proxy's own answers; it removes this header from a cluster's (failure.rs, request_rules.rs). */
const mark = 'lanyard-proxy-error';
/** What a gateway or load balancer says of the server behind it (RFC 9110, 15.6.3 to 15.6.5). */
const gatewayStatuses: ReadonlySet<number> = new Set([502, 503, 504]);
/** Of an answer that says why. */
const longest = 64 * 1024;

/** An answer's status and body, once it is known to be the API server's. */
export interface ServersAnswer {
  status: number;
  /** Null: none that is usable. */
  retryAfterSeconds: number | null;
  body: AsyncIterable<Buffer>;
}

/**
 * The answer, where it is the API server's; throws HttpFailure where someone before it answered: the request proxy
 * (`isProxied`), or a gateway. An API server that answers 502, 503 or 504 itself sends a Status, as with each of its errors;
 * a gateway doesn't. Any other status counts as the server's: whoever authenticates before it, such as an
 * OpenID proxy, speaks for it, and kubectl takes its 401 so, too. (rule: inferred-401)
 */
export async function serversAnswer(answer: IncomingMessage, isProxied: boolean): Promise<ServersAnswer> {
  const { headers } = answer;
  const status = answer.statusCode ?? 0;
  const retryAfter = retryAfterSeconds(headers['retry-after'], headers.date, Date.now());
  const stated = headers[mark];
  if (isProxied && typeof stated === 'string') {
    throw proxyFailure(stated, status, (await readStart(answer)).toString('utf8'));
  }
  if (!gatewayStatuses.has(status)) {
    return { status, retryAfterSeconds: retryAfter, body: answer };
  }
  const said = await readStart(answer);
  if (!isStatus(said)) {
    throw new HttpFailure('status', true, status, { retryAfterSeconds: retryAfter ?? undefined });
  }
  return { status, retryAfterSeconds: retryAfter, body: whole(said) };
}

/** `stated`: why there is no connection, what its proxy answered, and that proxy; `-`: nothing. */
function proxyFailure(stated: string, status: number, text: string): HttpFailure {
  const [fault = '', proxyStatus = '-', proxy = '-'] = stated.split(' ');
  const kind = httpFailureKind(fault);
  if (kind === null) {
    const why = visibleLine(text.replace(/^lanyard: /, '').trim(), 300);
    return new HttpFailure('requestProxy', false, status, {
      refusal: refuse('provider', 'proxy.answered', why),
    });
  }
  return new HttpFailure(kind, kind === 'broken', proxyStatus === '-' ? null : Number(proxyStatus), {
    ...(proxy !== '-' && { proxy }),
  });
}

function isStatus(body: Buffer): boolean {
  const read = parseJson(body.toString('utf8'));
  return typeof read === 'object' && read !== null && 'kind' in read && read.kind === 'Status';
}

/** What is over the limit isn't read: a Status is small. */
async function readStart(answer: AsyncIterable<Buffer>): Promise<Buffer> {
  const read = new GatheredBytes();
  for await (const piece of answer) {
    read.add(piece.subarray(0, longest - read.length));
    if (read.length >= longest) {
      break;
    }
  }
  return read.take();
}

async function* whole(body: Buffer): AsyncIterable<Buffer> {
  yield body;
}
