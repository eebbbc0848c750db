import * as http from 'node:http';
import * as https from 'node:https';
import type { Socket } from 'node:net';
import { raceAbort } from '../base/abort.ts';
import { GatheredBytes } from '../base/gathered-bytes.ts';
import { BrokerError } from '../contract/broker-error.ts';
import { joinedPathFault } from '../domain/server/joined-path.ts';
import { chooseProxy } from '../platform/network/choose-proxy.ts';
import { HttpFailure, httpFailureOf } from '../platform/network/http-failure.ts';
import { connectWithin, openTunnel, tunnelTarget } from '../platform/network/open-tunnel.ts';
import { tlsTrust } from '../platform/network/tls-trust.ts';
import type { Credential } from '../ports/account.ts';
import type { LoadedCluster } from '../ports/config-store.ts';
import { serversAnswer } from './answered-by.ts';
import { toExecCluster } from './cluster-connection.ts';
import type { ClusterReach } from './cluster-reach.ts';
import { toClusterConnection } from './load-exec-credential.ts';

/** One question to an API server. */
export interface ClusterQuestion {
  method: 'GET' | 'POST';
  /** Under the server's own path. */
  path: string;
  /** Sent as JSON. */
  body?: object;
  /** Null: without a credential. */
  credential: Credential | null;
  /** Absent: a new connection. Through a proxy each has one, too. */
  connections?: KeptConnections | undefined;
  /** Gets the socket of a new connection once its TLS handshake is through. */
  onSecured?(socket: Socket): void;
}

/** A connection whose answer was read to its end is kept for the next question with the same trust and certificate. */
export interface KeptConnections {
  http: http.Agent;
  https: https.Agent;
}

/** One connection at most is kept, for some seconds: nothing has to be closed. */
export function keepConnections(): KeptConnections {
  const options = { keepAlive: true, maxFreeSockets: 1, timeout: keptMilliseconds };
  // Each new connection checks the server’s certificate.
  return { http: new http.Agent(options), https: new https.Agent({ ...options, maxCachedSessions: 0 }) };
}

const keptMilliseconds = 5_000;

/** An answer that has begun. Who opens one ends it. */
export interface OpenAnswer {
  status: number;
  /** Retry-After (RFC 9110, 10.2.3), an hour at most. Null: none that is usable. */
  retryAfterSeconds: number | null;
  /** Its body as it comes, without a bound: for one reader, who has one. Throws HttpFailure. */
  pieces: AsyncIterable<Buffer>;
  /** Ends the request, whatever is left of the answer. */
  end(): void;
}

/** So long without a word on a connection, and the system asks whether the other side is still there. */
const keepAliveMilliseconds = 30_000;

/**
 * Asks an API server as the config says it is reached, and resolves as soon as its answer begins. A credential for a
 * proxied cluster is the proxy’s to send: the request goes through it. Redirects aren't followed. `signal` counts
 * until the answer's last piece. The answer is the API server's own: where the request proxy or a gateway answered in its
 * place, that is an HttpFailure. Throws HttpFailure, or BrokerError where an address is none.
 */
export async function openAnswer(
  stated: LoadedCluster,
  reach: ClusterReach,
  { method, path, body, credential: direct, connections, onSecured }: ClusterQuestion,
  signal: AbortSignal,
): Promise<OpenAnswer> {
  const through =
    direct !== null && stated.config.proxy !== undefined
      ? await raceAbort(throughProxy(stated, reach), signal)
      : null;
  const { cluster, credential } = through ?? { cluster: stated, credential: direct };
  const { baseUrl, tls, proxyUrl } = toClusterConnection(toExecCluster(cluster));
  const fault = joinedPathFault(path.replace(/\?.*$/s, ''));
  if (fault !== null) {
    throw new BrokerError('kube.path', fault, { reason: 'usage' });
  }
  const url = new URL(`${baseUrl.pathname.replace(/\/$/, '')}${path}`, baseUrl);
  const choice = chooseProxy(url, proxyUrl?.href, reach.environment ?? {});
  if (choice.kind === 'unusable') {
    throw new HttpFailure('proxyUnusable', false, null, { proxy: choice.name });
  }
  const secure = url.protocol === 'https:';
  const trust = {
    ...tlsTrust(tls.ca ?? null),
    rejectUnauthorized: tls.rejectUnauthorized,
    ...(tls.servername !== undefined && { servername: tls.servername }),
    // A key that stays on its token connects through the request proxy alone.
    ...(credential?.certificate?.keyPem && {
      cert: credential.certificate.chainPem,
      key: credential.certificate.keyPem.reveal(),
    }),
  };
  const tunnel = choice.kind === 'proxy' ? await openTunnel(choice.proxy, tunnelTarget(url), signal) : null;
  const text = body === undefined ? null : JSON.stringify(body);
  let connected = false;
  let request: http.ClientRequest | null = null;
  const failureOf = (error: unknown) =>
    signal.aborted ? new HttpFailure('timeout', connected) : httpFailureOf(error, connected);
  const end = () => {
    request?.destroy();
    tunnel?.destroy();
  };
  try {
    request = (secure ? https : http).request(url, {
      ...(tunnel
        ? { createConnection: () => connectWithin(tunnel, url, trust) }
        : { agent: connections?.[secure ? 'https' : 'http'] ?? false }),
      ...(secure && !tunnel && trust),
      method,
      signal,
      headers: {
        accept: 'application/json',
        'accept-encoding': 'identity',
        ...(text !== null && {
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(text),
        }),
        ...(credential?.token && { authorization: `Bearer ${credential.token.reveal()}` }),
      },
    });
    request.once('socket', (socket) => {
      (tunnel ?? socket).setKeepAlive(true, keepAliveMilliseconds);
      if (request?.reusedSocket) {
        connected = true;
        return;
      }
      socket.once(secure ? 'secureConnect' : 'connect', () => {
        connected = true;
        if (secure) {
          onSecured?.(socket);
        }
      });
    });
    const answer = await answerTo(request, text);
    const { status, retryAfterSeconds, body } = await serversAnswer(answer, through !== null);
    return { status, retryAfterSeconds, pieces: piecesOf(body, failureOf), end };
  } catch (error) {
    end();
    throw failureOf(error);
  }
}

async function throughProxy(cluster: LoadedCluster, { ownWay }: ClusterReach) {
  if (!ownWay) {
    throw new HttpFailure('unreachable', false);
  }
  return ownWay(cluster);
}

/** Sends the request; the answer has begun when it resolves. */
function answerTo(request: http.ClientRequest, text: string | null): Promise<http.IncomingMessage> {
  return new Promise((resolve, reject) => {
    request.on('error', reject);
    // Of an answer that wants another protocol (101) nothing else is heard. After a response it changes nothing.
    request.once('close', () => reject(new HttpFailure('broken', true)));
    request.once('response', resolve);
    request.end(text ?? undefined);
  });
}

async function* piecesOf(
  body: AsyncIterable<Buffer>,
  failureOf: (error: unknown) => HttpFailure,
): AsyncIterable<Buffer> {
  try {
    yield* body;
  } catch (error) {
    throw failureOf(error);
  }
}

/** The whole body. Throws HttpFailure `tooLarge` where it has more than `limitBytes`. */
export async function readPieces(pieces: AsyncIterable<Buffer>, limitBytes: number): Promise<Buffer> {
  const read = new GatheredBytes();
  for await (const piece of pieces) {
    if (read.length + piece.length > limitBytes) {
      throw new HttpFailure('tooLarge', true);
    }
    read.add(piece);
  }
  return read.take();
}
