import https from 'node:https';
import { connect as connectSocket, type Socket } from 'node:net';
import tls from 'node:tls';
import { fileURLToPath } from 'node:url';

/** `status` of an ExecCredential with `proxyConfig` (KEP-2718). */
export interface OwnForm {
  token: string;
  proxyConfig: { url: string; 'certificate-authority-data': string };
  clientCertificateData?: string;
  clientKeyData?: string;
}

export interface OwnAnswer {
  status: number;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  body: string;
}

/** The file of a Unix socket, as `unix:///path` has it. */
export function socketOf({ proxyConfig: { url } }: OwnForm): string {
  return fileURLToPath(url.replace(/^unix:/, 'file:'));
}

/** A TLS connection to the listener, as `proxyConfig` says it: its name is 127.0.0.1 on both. */
export function connectTo(
  form: OwnForm,
  options: { protocols?: string[]; certificate?: { cert: string; key: string } | null } = {},
): tls.TLSSocket {
  const { url } = form.proxyConfig;
  const { protocols = ['http/1.1'], certificate = certificateOf(form) } = options;
  const socket = url.startsWith('unix:')
    ? connectSocket(socketOf(form))
    : connectSocket(Number(new URL(url).port), '127.0.0.1');
  const secure = tls.connect({
    socket,
    ca: Buffer.from(form.proxyConfig['certificate-authority-data'], 'base64'),
    ALPNProtocols: protocols,
    checkServerIdentity: (_, peer) => tls.checkServerIdentity('127.0.0.1', peer),
    ...certificate,
  });
  // A connection that can’t be made is the socket’s error.
  socket.on('error', (error) => secure.destroy(error));
  return secure;
}

/** Once `socket` is closed, by an end or by a reset. (`once` of node:events takes a reset for its failure.) */
export function closeOf(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    socket.on('error', () => undefined).once('close', () => resolve());
  });
}

function certificateOf({ clientCertificateData, clientKeyData }: OwnForm) {
  return clientCertificateData && clientKeyData ? { cert: clientCertificateData, key: clientKeyData } : null;
}

/** A request at the listener, as a client sends it to the API server `host`. */
export function askOwn(
  form: OwnForm,
  host: string,
  path: string,
  options: {
    method?: string;
    headers?: Record<string, string>;
    body?: string;
    token?: string;
    certificate?: { cert: string; key: string } | null;
  } = {},
): Promise<OwnAnswer> {
  const { method = 'GET', headers = {}, body, token = form.token, certificate } = options;
  return new Promise((resolve, reject) => {
    const request = https.request(
      {
        path,
        method,
        headers: { host, authorization: `Bearer ${token}`, connection: 'close', ...headers },
        createConnection: () => connectTo(form, certificate === undefined ? {} : { certificate }),
      },
      (response) => {
        const parts: Buffer[] = [];
        response.on('data', (part: Buffer) => parts.push(part));
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            body: Buffer.concat(parts).toString(),
          }),
        );
        response.on('error', reject);
      },
    );
    request.on('error', reject);
    request.end(body);
  });
}
