import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import http2 from 'node:http2';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { TLSSocket } from 'node:tls';
import { type CertificateAuthority, issueServerCertificate } from '../certificates.ts';

/** A server on 127.0.0.1 that demands a client certificate. */
export interface CertificateServer {
  port: number;
  /** Into its standard input; none: it has none. */
  type?: (text: string) => void;
  /** A line that it prints from now on. */
  prints?: (line: RegExp) => Promise<void>;
  /** Connections that were made. */
  connections?: () => number;
  close: () => Promise<void>;
}

export type TlsVersion = '1.2' | '1.3';

/** Files of a server’s certificate, and of the CA of clients. */
export class ServerFiles {
  readonly certificate: string;
  readonly key: string;
  readonly ca: string;
  readonly #folder: string;

  private constructor(certificatePem: string, keyPem: string, caPem: string) {
    this.#folder = mkdtempSync(join(tmpdir(), 'ly-server-'));
    const write = (name: string, text: string) => {
      writeFileSync(join(this.#folder, name), text);
      return join(this.#folder, name);
    };
    this.certificate = write('certificate.pem', certificatePem);
    this.key = write('key.pem', keyPem);
    this.ca = write('ca.pem', caPem);
  }

  static async of(ca: CertificateAuthority): Promise<ServerFiles> {
    const { certificatePem, keyPem } = await issueServerCertificate(ca, ['127.0.0.1']);
    return new ServerFiles(certificatePem, keyPem, ca.certificatePem);
  }

  dispose(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

/** Why `startOpenSsl` can't run here; null: it can. */
export const noOpenSsl = spawnSync('openssl', ['version']).status === 0 ? null : 'openssl isn’t here';

/** `openssl s_server`; `-www` answers with what it knows of the connection. Without it, it prints what it reads, and types. */
export async function startOpenSsl(
  files: ServerFiles,
  version: TlsVersion,
  more: readonly string[] = ['-www'],
): Promise<CertificateServer> {
  const child = spawn(
    'openssl',
    [
      's_server',
      ...['-accept', '127.0.0.1:0', '-cert', files.certificate, '-key', files.key],
      ...['-CAfile', files.ca, '-Verify', '3', '-verify_return_error'],
      version === '1.2' ? '-tls1_2' : '-tls1_3',
      ...more,
    ],
    { stdio: ['pipe', 'pipe', 'ignore'] },
  );
  return { ...(await started(child, /^ACCEPT .*:(\d+)$/)), type: (text) => child.stdin?.write(text) };
}

/** A program of Go’s own library (test/support/go/client-certificates). `closes`: each answer ends its connection. */
export function startGo(
  program: string,
  files: ServerFiles,
  version: TlsVersion,
  { closes = false } = {},
): Promise<CertificateServer> {
  const words = [files.certificate, files.key, files.ca, version, ...(closes ? ['closes'] : [])];
  return started(spawn(program, words, { stdio: ['ignore', 'pipe', 'ignore'] }), /^(\d+)$/);
}

/** Node’s, with HTTP/2. */
export async function startNode(ca: CertificateAuthority, version: TlsVersion): Promise<CertificateServer> {
  const { certificatePem: cert, keyPem: key } = await issueServerCertificate(ca, ['127.0.0.1']);
  const only = { minVersion: `TLSv${version}`, maxVersion: `TLSv${version}` } as const;
  const demanded = { requestCert: true, rejectUnauthorized: true, ca: ca.certificatePem };
  const server = http2.createSecureServer({ cert, key, allowHTTP1: true, ...demanded, ...only });
  server.on('request', (request, response) => {
    const socket = (
      request.httpVersion === '2.0' ? request.stream.session?.socket : request.socket
    ) as TLSSocket;
    response.end(`${socket.getProtocol()} ${socket.getPeerCertificate().subject.CN}`);
  });
  const sockets = new Set<TLSSocket>();
  let connections = 0;
  server.on('secureConnection', (socket) => {
    connections += 1;
    sockets.add(socket);
  });
  // A client that gives no certificate is none of the test’s matter.
  server.on('tlsClientError', () => undefined);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    connections: () => connections,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Its port is in the line that it prints then. */
async function started(child: ChildProcess, line: RegExp): Promise<CertificateServer> {
  const lines = createInterface({ input: child.stdout as NodeJS.ReadableStream });
  const port = await new Promise<number>((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`the server ended with ${code}`)));
    lines.on('line', (text) => {
      const found = line.exec(text)?.[1];
      if (found !== undefined) resolve(Number(found));
    });
  });
  return {
    port,
    prints: (awaited) =>
      new Promise((resolve) => lines.on('line', (text) => awaited.test(text) && resolve())),
    close: async () => {
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    },
  };
}
