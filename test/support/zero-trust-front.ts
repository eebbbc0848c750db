import type { IncomingHttpHeaders } from 'node:http';
import https, { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { type CertificateAuthority, createCa, issueServerCertificate } from './certificates.ts';

/** A request as it arrived. */
export interface SeenRequest {
  method: string;
  url: string;
  headers: IncomingHttpHeaders;
}

export interface FrontOptions {
  /** The server behind it, and its CA. */
  server: string;
  caPem: string;
  /** Without these, in lower case, it shows its login page. */
  demands: Readonly<Record<string, string>>;
}

/**
 * A front as zero-trust networks have it: it demands headers, and leads whoever has none to a login page. Only requests
 * with a body of known length and answers: no upgrades.
 */
export interface ZeroTrustFront {
  readonly server: string;
  readonly caPem: string;
  readonly seen: readonly SeenRequest[];
  dispose(): Promise<void>;
}

export async function startFront(options: FrontOptions): Promise<ZeroTrustFront> {
  const ca: CertificateAuthority = await createCa('front');
  const { certificatePem: cert, keyPem: key } = await issueServerCertificate(ca, ['127.0.0.1']);
  const seen: SeenRequest[] = [];
  const server = createServer({ cert, key }, (request, response) => {
    const { method = '', url = '', headers } = request;
    seen.push({ method, url, headers });
    const lacking = Object.entries(options.demands).some(([name, value]) => headers[name] !== value);
    if (lacking) {
      response.writeHead(302, { location: 'https://login.example.com/cdn-cgi/access/login' }).end();
      return;
    }
    const { host: _, ...passed } = headers;
    const onward = https.request(
      new URL(url, options.server),
      { method, headers: passed, ca: options.caPem, agent: false },
      (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
      },
    );
    onward.on('error', () => response.destroy());
    request.pipe(onward);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    server: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
    caPem: ca.certificatePem,
    seen,
    dispose: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
