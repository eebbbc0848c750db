import * as http from 'node:http';
import * as https from 'node:https';
import { chooseProxy, type ProxyEnvironment } from '../platform/network/choose-proxy.ts';
import { HttpFailure, httpFailureOf } from '../platform/network/http-failure.ts';
import { connectWithin, openTunnel, tunnelTarget } from '../platform/network/open-tunnel.ts';
import { trustedAuthorities } from '../platform/network/trusted-authorities.ts';
import type { Credential } from '../ports/account.ts';
import type { LoadedCluster } from '../ports/config-store.ts';
import { toExecCluster } from './cluster-connection.ts';
import { toClusterConnection } from './load-exec-credential.ts';

/** One request to an API server. */
export interface ClusterRequest {
  method: 'GET' | 'POST';
  /** Under the server's own path. */
  path: string;
  /** Sent as JSON. */
  body?: object;
  /** Null: without a credential. */
  credential: Credential | null;
  /** How much of the answer is read; 0: its status alone counts. More than that is a failure. */
  answerBytes: number;
}

export interface ClusterAnswer {
  status: number;
  text: string;
}

/**
 * Asks an API server as the config says it is reached. `environment` has the proxies that count where the cluster
 * names none, as they do for kubectl. Redirects aren't followed. Throws HttpFailure, or BrokerError where an address
 * is none.
 */
export async function askCluster(
  cluster: LoadedCluster,
  environment: ProxyEnvironment,
  { method, path, body, credential, answerBytes }: ClusterRequest,
  signal: AbortSignal,
): Promise<ClusterAnswer> {
  const { baseUrl, tls, proxyUrl } = toClusterConnection(toExecCluster(cluster));
  const url = new URL(`${baseUrl.pathname.replace(/\/$/, '')}${path}`, baseUrl);
  const choice = chooseProxy(url, proxyUrl?.href, environment);
  if (choice.kind === 'unusable') {
    throw new HttpFailure('proxyUnusable', false, null, { proxy: choice.name });
  }
  const secure = url.protocol === 'https:';
  const trust = {
    ca: tls.ca ?? trustedAuthorities(),
    rejectUnauthorized: tls.rejectUnauthorized,
    ...(tls.servername !== undefined && { servername: tls.servername }),
    ...(credential?.certificate && {
      cert: credential.certificate.chainPem,
      key: credential.certificate.keyPem.reveal(),
    }),
  };
  const tunnel = choice.kind === 'proxy' ? await openTunnel(choice.proxy, tunnelTarget(url), signal) : null;
  const text = body === undefined ? null : JSON.stringify(body);
  let connected = false;
  let request: http.ClientRequest | null = null;
  try {
    request = (secure ? https : http).request(url, {
      ...(tunnel ? { createConnection: () => connectWithin(tunnel, url, trust) } : { agent: false }),
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
    request.once('socket', (socket) =>
      socket.once(secure ? 'secureConnect' : 'connect', () => {
        connected = true;
      }),
    );
    const answer = await answerTo(request, text);
    const status = answer.statusCode ?? 0;
    return { status, text: answerBytes === 0 ? '' : await readBounded(answer, answerBytes) };
  } catch (error) {
    throw signal.aborted ? new HttpFailure('timeout', connected) : httpFailureOf(error, connected);
  } finally {
    request?.destroy();
    tunnel?.destroy();
  }
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

async function readBounded(answer: http.IncomingMessage, limit: number): Promise<string> {
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of answer) {
    length += piece.length;
    if (length > limit) {
      throw new HttpFailure('tooLarge', true);
    }
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString('utf8');
}
