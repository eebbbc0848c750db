import * as http from 'node:http';
import * as https from 'node:https';
import { isIP, type Socket } from 'node:net';
import * as tls from 'node:tls';
import type { HttpProxy } from './choose-proxy.ts';
import { HttpFailure } from './http-failure.ts';
import { tlsTrust } from './tls-trust.ts';

/**
 * A connection to `target` (host and port) through a proxy, by CONNECT (RFC 9110, 9.3.6). Rejects with HttpFailure
 * of a `proxy…` kind; nothing of the request itself was sent then. Node's own CONNECT in place of an agent package:
 * it ends at once with `signal` and leaves no socket behind, bounds the proxy's headers, and tells its status.
 */
export function openTunnel(proxy: HttpProxy, target: string, signal: AbortSignal): Promise<Socket> {
  const fail = (kind: 'proxyUnreachable' | 'proxyLogin' | 'proxyRefused', status: number | null = null) =>
    new HttpFailure(kind, false, status, { proxy: proxy.name });
  const login = proxy.login && Buffer.from(proxy.login.reveal()).toString('base64');
  // The proxy's certificate is the system's business: the account's CA is the provider's.
  const outgoing = (proxy.secure ? https : http).request({
    ...(proxy.secure && tlsTrust(null)),
    agent: false,
    method: 'CONNECT',
    host: proxy.hostname,
    port: proxy.port,
    path: target,
    headers: {
      host: target,
      'proxy-connection': 'keep-alive',
      ...(login === null ? {} : { 'proxy-authorization': `Basic ${login}` }),
    },
    signal,
  });
  return new Promise<Socket>((resolve, reject) => {
    outgoing.once('connect', (answer, socket: Socket, head) => {
      const status = answer.statusCode ?? 0;
      if (status >= 200 && status < 300) {
        socket.on('error', () => undefined); // told again by what is sent through it
        // What the other side said already belongs to the tunnel.
        socket.unshift(head);
        resolve(socket);
        return;
      }
      socket.destroy();
      reject(status === 407 ? fail('proxyLogin', status) : fail('proxyRefused', status));
    });
    outgoing.on('error', () => reject(fail('proxyUnreachable')));
    outgoing.end();
  });
}

/** Speaks to `address` through a tunnel that leads there, with TLS where the address says so. */
export function connectWithin(tunnel: Socket, address: URL, options: tls.ConnectionOptions): Socket {
  const host = address.hostname.replace(/^\[|\]$/g, '');
  return address.protocol === 'http:'
    ? tunnel
    : tls.connect({
        socket: tunnel,
        host,
        ALPNProtocols: ['http/1.1'],
        ...(isIP(host) === 0 ? { servername: host } : {}),
        ...options,
      });
}

/** What a proxy is asked to connect to. */
export function tunnelTarget({ protocol, hostname, port }: URL): string {
  return `${hostname}:${port || (protocol === 'https:' ? 443 : 80)}`;
}
