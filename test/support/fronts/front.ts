import type { IncomingHttpHeaders, IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import http2 from 'node:http2';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { createCa, issueServerCertificate } from '../certificates.ts';

/** What a front decides by a request’s headers: which headers pass on, or what it answers in the server’s place. */
export type Verdict =
  | { passes: OutgoingHttpHeaders }
  | { status: number; headers: OutgoingHttpHeaders; text: string };

/** A server that decides who comes through, in front of another one. */
export interface Front {
  readonly server: string;
  readonly caPem: string;
  /** Each verdict’s status, 0 where the request passed on. */
  readonly verdicts: number[];
  dispose(): Promise<void>;
}

/** `body`: null where it is not kept. */
export type Judge = (
  headers: IncomingHttpHeaders,
  request: IncomingMessage,
  body: Buffer | null,
) => Promise<Verdict>;

export interface FrontOptions {
  /** A body is read whole before the verdict; else it streams. */
  keepsBody?: boolean;
  /** What passes of upgrades, in lower case; WebSocket alone, as with most that stand in front: others get 400. */
  upgrades?: readonly string[];
}

/** HTTP/2 and HTTP/1.1 in front, HTTP/1.1 behind, bodies in both directions. */
export async function startFront(
  behind: { server: string; caPem: string },
  judge: Judge,
  { keepsBody = false, upgrades = ['websocket'] }: FrontOptions = {},
): Promise<Front> {
  const ca = await createCa('front');
  const { chainPem: cert, keyPem: key } = await issueServerCertificate(ca, ['127.0.0.1']);
  const agent = new https.Agent({ keepAlive: true, ca: behind.caPem });
  const verdicts: number[] = [];
  const open = new Set<Duplex>();

  const forward = (request: IncomingMessage, headers: OutgoingHttpHeaders) => {
    const { method = 'GET' } = request;
    return https.request(`${behind.server}${request.url}`, { agent, method, headers: ofHttp1(headers) });
  };

  const decide = async (request: IncomingMessage, body: Buffer | null): Promise<Verdict> => {
    const verdict = await judge(request.headers, request, body);
    verdicts.push('passes' in verdict ? 0 : verdict.status);
    return verdict;
  };

  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = keepsBody ? Buffer.concat(await request.toArray()) : null;
    const verdict = await decide(request, body);
    if (!('passes' in verdict)) {
      response.writeHead(verdict.status, verdict.headers);
      response.end(verdict.text);
      return;
    }
    const sent = forward(request, verdict.passes);
    sent.once('response', (answer) => {
      const { connection: _, 'transfer-encoding': __, 'keep-alive': ___, ...headers } = answer.headers;
      response.writeHead(answer.statusCode ?? 502, headers);
      answer.pipe(response);
      answer.once('error', () => response.destroy());
    });
    sent.once('error', () => response.destroy());
    response.once('close', () => sent.destroy());
    if (body === null) {
      request.pipe(sent);
    } else {
      sent.end(body);
    }
  };

  const upgrade = async (request: IncomingMessage, socket: Duplex): Promise<void> => {
    socket.on('error', () => undefined);
    const verdict = await decide(request, keepsBody ? Buffer.alloc(0) : null);
    const { upgrade: to = '' } = request.headers;
    if (!('passes' in verdict)) {
      const head = Object.entries(verdict.headers).map(([name, value]) => `${name}: ${value}\r\n`);
      head.push(`Content-Length: ${Buffer.byteLength(verdict.text)}\r\n`);
      socket.end(
        `HTTP/1.1 ${verdict.status} Refused\r\nConnection: close\r\n${head.join('')}\r\n${verdict.text}`,
      );
      return;
    }
    if (!upgrades.includes(to.toLowerCase())) {
      socket.end('HTTP/1.1 400 Refused\r\nConnection: close\r\nContent-Length: 0\r\n\r\n');
      return;
    }
    const sent = forward(request, { ...verdict.passes, connection: 'Upgrade', upgrade: to });
    sent.once('upgrade', (answer, other, begun) => {
      other.on('error', () => socket.destroy());
      socket.once('close', () => other.destroy());
      socket.write(`HTTP/1.1 101 Switching Protocols\r\n${rawHead(answer)}\r\n`);
      socket.write(begun);
      other.pipe(socket).pipe(other);
    });
    sent.once('response', (answer) => {
      socket.write(`HTTP/1.1 ${answer.statusCode} Refused\r\nConnection: close\r\n\r\n`);
      answer.pipe(socket);
    });
    sent.once('error', () => socket.destroy());
    sent.end();
  };

  const server = http2.createSecureServer({ cert, key, allowHTTP1: true });
  server.on('request', (request, response) => {
    handle(request as never, response as never).catch(() => response.stream?.destroy());
  });
  server.on('upgrade', (request: IncomingMessage, socket: Duplex) => {
    upgrade(request, socket).catch(() => socket.destroy());
  });
  server.on('connection', (socket: Duplex) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    server: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
    caPem: ca.certificatePem,
    verdicts,
    dispose: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const socket of open) {
        socket.destroy();
      }
      agent.destroy();
      await closed;
    },
  };
}

/** Without HTTP/2’s own fields and what the connection in front is about. */
function ofHttp1(headers: OutgoingHttpHeaders): OutgoingHttpHeaders {
  const hidden = ['host', 'keep-alive', 'transfer-encoding'];
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => !name.startsWith(':') && !hidden.includes(name)),
  );
}

function rawHead({ rawHeaders }: IncomingMessage): string {
  let head = '';
  for (let at = 0; at < rawHeaders.length; at += 2) {
    head += `${rawHeaders[at]}: ${rawHeaders[at + 1]}\r\n`;
  }
  return head;
}
