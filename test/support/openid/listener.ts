import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import {
  type CertificateAuthority,
  createCa,
  type IssuedCertificate,
  issueServerCertificate,
} from '../certificates.ts';

export interface TlsOptions {
  ca?: CertificateAuthority;
  /** In place of one made from `ca`. */
  certificate?: IssuedCertificate;
}

export interface Listener {
  server: ReturnType<typeof createHttpServer> | ReturnType<typeof createHttpsServer>;
  caPem: string | null;
  useCertificate(certificate: IssuedCertificate): void;
}

export type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/**
 * A server that is not listening yet. `undefined` is TLS with a CA of its own, null is plain http. With `clientCa` it
 * asks for a client's certificate; whether it is one of that CA is the handler's to see.
 */
export async function createListener(
  tls: TlsOptions | null | undefined,
  handler: Handler,
  clientCa?: CertificateAuthority,
): Promise<Listener> {
  if (tls === null) {
    const useCertificate = () => {
      throw new Error('this provider speaks plain http');
    };
    return { server: createHttpServer(handler), caPem: null, useCertificate };
  }
  const ca = tls?.ca ?? (await createCa('Lanyard test provider CA'));
  const certificate = tls?.certificate ?? (await issueServerCertificate(ca));
  const server = createHttpsServer(
    {
      key: certificate.keyPem,
      cert: certificate.chainPem,
      ...(clientCa && { ca: clientCa.certificatePem, requestCert: true, rejectUnauthorized: false }),
    },
    handler,
  );
  return {
    server,
    caPem: ca.certificatePem,
    useCertificate: (next) => server.setSecureContext({ key: next.keyPem, cert: next.chainPem }),
  };
}

/** Listens on 127.0.0.1; port 0 is any free one. Hands back the port. */
export function listen(server: Listener['server'], port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      server.off('error', reject);
      resolve((server.address() as AddressInfo).port);
    });
  });
}

/** Ends all connections and frees the port. */
export function close(server: Listener['server']): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
