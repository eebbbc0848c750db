import { createServer, type IncomingMessage } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, connect, type Socket } from 'node:net';

export interface ConnectProxyOptions {
  /** Asked of each client (RFC 9110, 11.7.1); nobody is asked without it. */
  login?: { user: string; password: string };
  /** Where a name leads to in place of the name's own address: `id.example.com:443` to a port of 127.0.0.1. */
  routes?: Readonly<Record<string, number>>;
  /** It is asked over TLS with this certificate, PEM. */
  tls?: { certificatePem: string; keyPem: string };
}

export type ProxyFault =
  | { kind: 'none' }
  /** The proxy itself answers with this status. */
  | { kind: 'status'; status: number }
  /** Takes the connection and says nothing. */
  | { kind: 'silent' }
  /** Ends the connection in place of an answer. */
  | { kind: 'hangUp' }
  /** An answer whose headers never end. */
  | { kind: 'endless' }
  /** Opens the tunnel, and lets nothing through. */
  | { kind: 'stall' };

/** A CONNECT proxy (RFC 9110, 9.3.6) on a free port of 127.0.0.1. */
export interface ConnectProxy {
  readonly url: string;
  readonly host: string;
  /** Each target that was asked for, as `host:port`, refused ones too. */
  readonly targets: readonly string[];
  /** Tunnels that were opened. */
  readonly opened: number;
  /** Connections that are there now. */
  connections(): number;
  fault: ProxyFault;
  dispose(): Promise<void>;
}

export async function startConnectProxy(options: ConnectProxyOptions = {}): Promise<ConnectProxy> {
  const sockets = new Set<Socket>();
  const targets: string[] = [];
  const state = { opened: 0, fault: { kind: 'none' } as ProxyFault };
  const track = (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket)).on('error', () => undefined);
  };
  const { tls } = options;
  const server = tls ? createTlsServer({ cert: tls.certificatePem, key: tls.keyPem }) : createServer();
  server.on('request', (_request, response) => response.writeHead(405).end());
  server.on(tls ? 'secureConnection' : 'connection', track);
  server.on('tlsClientError', () => undefined);
  server.on('connect', (request: IncomingMessage, client: Socket, head: Buffer) => {
    const target = request.url ?? '';
    targets.push(target);
    const refuse = (status: number) => client.end(`HTTP/1.1 ${status} No\r\nContent-Length: 0\r\n\r\n`);
    const { fault } = state;
    switch (fault.kind) {
      case 'silent':
        ignore(client);
        return;
      case 'hangUp':
        client.destroy();
        return;
      case 'endless':
        sendHeaders(client);
        return;
      case 'status':
        refuse(fault.status);
        return;
      case 'stall':
      case 'none':
    }
    if (!isAllowed(request, options.login)) {
      refuse(407);
      return;
    }
    if (fault.kind === 'stall') {
      client.write('HTTP/1.1 200 OK\r\n\r\n');
      ignore(client);
      return;
    }
    const colon = target.lastIndexOf(':');
    const routed = options.routes?.[target];
    const host = routed === undefined ? target.slice(0, colon).replace(/^\[|\]$/g, '') : '127.0.0.1';
    const upstream = connect(routed ?? Number(target.slice(colon + 1)), host);
    track(upstream);
    upstream.once('connect', () => {
      state.opened += 1;
      client.write('HTTP/1.1 200 OK\r\n\r\n');
      upstream.write(head);
      client.pipe(upstream).pipe(client);
    });
    upstream.once('error', () => refuse(502));
    upstream.once('close', () => client.destroy());
    client.once('close', () => upstream.destroy());
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: `${tls ? 'https' : 'http'}://${host}`,
    host,
    targets,
    get opened() {
      return state.opened;
    },
    connections: () => sockets.size,
    get fault() {
      return state.fault;
    },
    set fault(fault) {
      state.fault = fault;
    },
    dispose: async () => {
      for (const socket of sockets) {
        socket.destroy();
      }
      await new Promise((resolve) => {
        server.close(resolve);
      });
    },
  };
}

/** Reads what comes, to see when the other side ends. */
function ignore(client: Socket): void {
  client.once('end', () => client.destroy()).resume();
}

function isAllowed(request: IncomingMessage, login: ConnectProxyOptions['login']): boolean {
  const expected = login && Buffer.from(`${login.user}:${login.password}`).toString('base64');
  return expected === undefined || request.headers['proxy-authorization'] === `Basic ${expected}`;
}

function sendHeaders(client: Socket): void {
  client.write('HTTP/1.1 200 OK\r\n');
  const line = `X-Padding: ${'x'.repeat(4000)}\r\n`;
  const more = () => {
    while (!client.destroyed && client.write(line));
  };
  client.on('drain', more);
  more();
}
