import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import '../reflect-shim.ts';
import * as x509 from '@peculiar/x509';
import { importPKCS8, SignJWT } from 'jose';

export interface TokenServerOptions {
  /** User names with their passwords. */
  users: Readonly<Record<string, string>>;
  /** Identity tokens, each with its user’s name. */
  identityTokens?: Readonly<Record<string, string>>;
  /** Whether a user may do something in a repository; everything without it. */
  allows?: (user: string, repository: string, action: string) => boolean;
}

/** A request that came, without its secret. */
export interface TokenRequest {
  method: string;
  /** Null: no one that it knows. */
  user: string | null;
  service: string | null;
  scopes: readonly string[];
}

/** A token server for distribution’s registry (docs/spec/auth/token.md and oauth.md there), on http at 127.0.0.1. */
export interface TokenServer {
  readonly realm: string;
  /** Host and port. */
  readonly host: string;
  readonly service: string;
  readonly issuer: string;
  /** The registry’s `rootcertbundle`, PEM: tokens are signed with RS256 and have the certificate as x5c. */
  readonly certificatePem: string;
  readonly requests: readonly TokenRequest[];
  dispose(): Promise<void>;
}

const service = 'the registry of the tests';
const issuer = 'the token server of the tests';

export async function startTokenServer(options: TokenServerOptions): Promise<TokenServer> {
  const { certificate, keyPem } = await makeSigner();
  const key = await importPKCS8(keyPem, 'RS256');
  const x5c = [Buffer.from(certificate.rawData).toString('base64')];
  const requests: TokenRequest[] = [];
  const tokenFor = (user: string, scopes: readonly string[]) =>
    new SignJWT({ access: scopes.flatMap((scope) => accessOf(scope, user, options)), jti: randomUUID() })
      .setProtectedHeader({ alg: 'RS256', typ: 'JWT', x5c })
      .setIssuer(issuer)
      .setSubject(user)
      .setAudience(service)
      .setIssuedAt()
      .setNotBefore('-10s')
      .setExpirationTime('5m')
      .sign(key);
  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.writeHead(500).end());
  });
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const url = new URL(request.url ?? '/', 'http://tokens');
    const form = new URLSearchParams(request.method === 'POST' ? await text(request) : url.search);
    const scopes = form
      .getAll('scope')
      .flatMap((scope) => scope.split(' '))
      .filter(Boolean);
    const user = userOf(request, form, options);
    requests.push({ method: request.method ?? '', user, service: form.get('service'), scopes });
    if (user === null) {
      response.writeHead(request.method === 'POST' ? 400 : 401).end('{"error":"invalid_grant"}');
      return;
    }
    const token = await tokenFor(user, scopes);
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ token, access_token: token, expires_in: 300, issued_at: new Date() }));
  };
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    realm: `http://${host}/token`,
    host,
    service,
    issuer,
    certificatePem: certificate.toString('pem'),
    requests,
    dispose: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function userOf(
  { method, headers }: IncomingMessage,
  form: URLSearchParams,
  { users, identityTokens = {} }: TokenServerOptions,
): string | null {
  if (method === 'POST' && form.get('grant_type') === 'refresh_token') {
    return identityTokens[form.get('refresh_token') ?? ''] ?? null;
  }
  const [, basic = ''] = /^Basic (.+)$/.exec(headers.authorization ?? '') ?? [];
  const sent = Buffer.from(basic, 'base64').toString();
  const posted = `${form.get('username')}:${form.get('password')}`;
  const login = method === 'POST' ? posted : sent;
  const [name = ''] = login.split(':', 1);
  return users[name] !== undefined && login === `${name}:${users[name]}` ? name : null;
}

/** `repository:team/app:pull,push` as a token’s `access`, with what the user may do. */
function accessOf(scope: string, user: string, { allows = () => true }: TokenServerOptions): object[] {
  const [, type, name = '', actions = ''] = /^([a-z]+):(.+):([a-z,*]+)$/.exec(scope) ?? [];
  const granted = actions.split(',').filter((action) => action !== '' && allows(user, name, action));
  return granted.length === 0 ? [] : [{ type, name, actions: granted }];
}

async function makeSigner() {
  const algorithm = {
    name: 'RSASSA-PKCS1-v1_5',
    hash: 'SHA-256',
    modulusLength: 2048,
    publicExponent: new Uint8Array([1, 0, 1]),
  };
  const keys = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    name: 'CN=token server of the tests',
    signingAlgorithm: algorithm,
    keys,
    notBefore: new Date(Date.now() - 60_000),
    notAfter: new Date(Date.now() + 86_400_000),
  });
  const der = await crypto.subtle.exportKey('pkcs8', keys.privateKey);
  return { certificate, keyPem: x509.PemConverter.encode(der, 'PRIVATE KEY') };
}
