import { randomBytes } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { type IdTokenOptions, makeTokenMint, type TokenMint } from './hostile-tokens.ts';
import { close, createListener, listen } from './listener.ts';
import { createPerson, type Person } from './person.ts';

/** Where a request went. */
export type HostileEndpoint =
  | 'discovery'
  | 'jwks'
  | 'authorization'
  | 'device'
  | 'token'
  | 'revocation'
  | 'endSession'
  | 'other';

export interface HostileRequest {
  endpoint: HostileEndpoint;
  method: string;
  path: string;
  query: URLSearchParams;
  headers: IncomingHttpHeaders;
  /** The form that was sent. */
  form: URLSearchParams;
}

/** What is sent back: JSON, text or bytes with a status and headers; or whatever a function does with the response. */
export type HostileAnswer =
  | { status?: number; headers?: Readonly<Record<string, string>>; body: unknown }
  | ((response: ServerResponse) => void);

export type HostileScript = (request: HostileRequest) => HostileAnswer;

/**
 * A provider that does exactly as it is told, for all that oidc-provider can't do wrong. Without a script it is
 * honest: one person, `alice`, whose device logins are approved at once and whose authorization requests are
 * answered at once; refresh tokens rotate and are all taken.
 */
export interface HostileProvider {
  readonly issuer: string;
  readonly clientId: string;
  readonly caPem: string | null;
  readonly person: Person;
  readonly mint: TokenMint;
  /** All that arrived, oldest first. */
  readonly requests: HostileRequest[];
  /** Every secret that it made up, as it is: what must not be told to anybody. */
  readonly secrets: ReadonlySet<string>;
  /** Put over the discovery document; null takes a field out. */
  metadata: Readonly<Record<string, unknown>>;
  /** What an endpoint answers in place of the truth. */
  readonly scripts: Partial<Record<HostileEndpoint, HostileScript>>;
  /** How the next id tokens differ from true ones. */
  idToken: IdTokenOptions;
  /** Put over the token answer; null takes a field out. */
  tokenFields: Readonly<Record<string, unknown>>;
  /** Put over the device answer, the same way. */
  deviceFields: Readonly<Record<string, unknown>>;
  /** Put over the query of the authorization answer, the same way. */
  authorizationFields: Readonly<Record<string, string | null>>;
  /** What an endpoint answers without a script: for scripts that are honest now and then. */
  honest(endpoint: HostileEndpoint): HostileScript;
  /** As it began: honest, and nothing has arrived. */
  reset(): void;
  /** How often `endpoint` was asked. */
  count(endpoint: HostileEndpoint): number;
  dispose(): Promise<void>;
}

const paths: Readonly<Record<string, HostileEndpoint>> = {
  '/.well-known/openid-configuration': 'discovery',
  '/jwks': 'jwks',
  '/authorize': 'authorization',
  '/device': 'device',
  '/token': 'token',
  '/revoke': 'revocation',
  '/logout': 'endSession',
};

/** Starts one on a free port of 127.0.0.1, with TLS unless told otherwise. */
export async function startHostileProvider(options: { tls?: boolean } = {}): Promise<HostileProvider> {
  const { server, caPem } = await createListener(options.tls === false ? null : {}, (request, response) => {
    void handle(request, response);
  });
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    socket.on('error', () => undefined); // clients that give up are what some tests are about
  });
  const port = await listen(server, 0);
  const issuer = `${caPem === null ? 'http' : 'https'}://127.0.0.1:${port}`;
  const clientId = 'kubernetes';
  const mint = makeTokenMint();
  const secrets = new Set<string>();
  const nonces = new Map<string, string | null>();
  const person = createPerson(`${issuer}/device-page`, caPem);

  const fresh = (kind: string) => {
    const secret = `${kind}-${randomBytes(24).toString('base64url')}`;
    secrets.add(secret);
    return secret;
  };

  const provider: HostileProvider = {
    issuer,
    clientId,
    caPem,
    person,
    mint,
    requests: [],
    secrets,
    metadata: {},
    scripts: {},
    idToken: {},
    tokenFields: {},
    deviceFields: {},
    authorizationFields: {},
    honest: (endpoint) => honest[endpoint] ?? (() => ({ status: 404, body: 'nothing here' })),
    reset() {
      provider.requests.length = 0;
      for (const endpoint of Object.keys(provider.scripts)) {
        delete provider.scripts[endpoint as HostileEndpoint];
      }
      provider.metadata = {};
      provider.idToken = {};
      provider.tokenFields = {};
      provider.deviceFields = {};
      provider.authorizationFields = {};
    },
    count: (endpoint) => provider.requests.filter((request) => request.endpoint === endpoint).length,
    async dispose() {
      await person.dispose();
      for (const socket of sockets) {
        socket.destroy();
      }
      await close(server);
    },
  };

  const honest: Partial<Record<HostileEndpoint, HostileScript>> = {
    discovery: () => ({
      body: put(
        {
          issuer,
          authorization_endpoint: `${issuer}/authorize`,
          token_endpoint: `${issuer}/token`,
          device_authorization_endpoint: `${issuer}/device`,
          jwks_uri: `${issuer}/jwks`,
          revocation_endpoint: `${issuer}/revoke`,
          end_session_endpoint: `${issuer}/logout`,
          response_types_supported: ['code'],
          code_challenge_methods_supported: ['S256'],
          id_token_signing_alg_values_supported: ['RS256'],
          authorization_response_iss_parameter_supported: true,
        },
        provider.metadata,
      ),
    }),
    jwks: () => ({ body: mint.jwks }),
    device: () => ({
      body: put(
        {
          device_code: fresh('device'),
          user_code: 'ABCD-EFGH',
          verification_uri: `${issuer}/device-page`,
          verification_uri_complete: `${issuer}/device-page?user_code=ABCD-EFGH`,
          expires_in: 300,
          interval: 1,
        },
        provider.deviceFields,
      ),
    }),
    authorization: ({ query }) => {
      const code = fresh('code');
      nonces.set(code, query.get('nonce'));
      const back = new URL(query.get('redirect_uri') ?? 'http://127.0.0.1/');
      const fields = put({ code, state: query.get('state'), iss: issuer }, provider.authorizationFields);
      back.search = new URLSearchParams(fields as Record<string, string>).toString();
      return { status: 302, headers: { location: back.href }, body: '' };
    },
    token: ({ form }) => {
      const accessToken = fresh('access');
      const nonce = nonces.get(form.get('code') ?? '') ?? undefined;
      const idToken = mint.idToken({ issuer, clientId, accessToken, nonce }, provider.idToken);
      secrets.add(idToken);
      return {
        body: put(
          {
            access_token: accessToken,
            refresh_token: fresh('refresh'),
            id_token: idToken,
            token_type: 'Bearer',
            expires_in: 600,
          },
          provider.tokenFields,
        ),
      };
    },
    revocation: () => ({ body: '' }),
    endSession: () => ({ body: 'bye' }),
  };

  async function handle(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(incoming.url ?? '/', issuer);
    const endpoint = paths[url.pathname] ?? 'other';
    const text = await readAll(incoming).catch(() => '');
    const request: HostileRequest = {
      endpoint,
      method: incoming.method ?? '',
      path: url.pathname,
      query: url.searchParams,
      headers: incoming.headers,
      form: new URLSearchParams(text),
    };
    provider.requests.push(request);
    const script = provider.scripts[endpoint] ?? provider.honest(endpoint);
    send(response, script(request));
  }

  return provider;
}

function send(response: ServerResponse, answer: HostileAnswer): void {
  if (typeof answer === 'function') {
    answer(response);
    return;
  }
  const { status = 200, headers = {}, body } = answer;
  const raw = typeof body === 'string' || body instanceof Uint8Array;
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(raw ? body : JSON.stringify(body));
}

async function readAll(incoming: IncomingMessage): Promise<string> {
  let text = '';
  for await (const piece of incoming) {
    text += String(piece);
  }
  return text;
}

/** `over` put over `under`; null takes a field out. */
function put(
  under: Readonly<Record<string, unknown>>,
  over: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  return Object.fromEntries(Object.entries({ ...under, ...over }).filter(([, value]) => value !== null));
}
