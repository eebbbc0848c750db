import { constants } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import {
  type CertificateAuthority,
  createCa,
  type IssuedCertificate,
  issueServerCertificate,
} from './certificates.ts';
import {
  type Authenticated,
  bearerToken,
  createAuthenticator,
  type KubernetesUser,
  type TrustedProvider,
} from './kubernetes/authenticate.ts';
import {
  authenticationResources,
  coreResources,
  coreVersions,
  failure,
  groups,
  podList,
  podTable,
  selfSubjectReview,
  version,
} from './kubernetes/objects.ts';
import { fingerprint } from './openid/counts.ts';

export type { KubernetesUser, TrustedProvider };

export interface KubernetesApiOptions {
  /** Signs the server's certificate; one of its own unless given. */
  ca?: CertificateAuthority;
  /** In place of a certificate made from `ca`. */
  certificate?: IssuedCertificate;
  /** Names in the server's certificate; `127.0.0.1` and `localhost` unless told otherwise. */
  hosts?: readonly string[];
  oidc?: TrustedProvider;
  /** Client certificates of this CA are taken. */
  clientCa?: CertificateAuthority;
  /** Users by token. */
  staticTokens?: Readonly<Record<string, KubernetesUser>>;
  /** v1 unless told otherwise. */
  reviews?: Reviews;
  /** More of an API: it answers authenticated requests for which it gives true, such as a hub's (inventory-hub.ts). */
  more?: { handle(request: IncomingMessage, response: ServerResponse): boolean };
}

/** In which version it knows SelfSubjectReview; `none`: it is older; `forbidden`: nobody may ask. */
export type Reviews = 'v1' | 'v1beta1' | 'v1alpha1' | 'none' | 'forbidden';

/** One request that arrived. */
export interface ApiRequest {
  /** Milliseconds since 1970. */
  at: number;
  method: string;
  /** Without its query. */
  path: string;
  /** Null where nobody was recognized. */
  user: string | null;
  groups: readonly string[];
  via: 'token' | 'certificate' | 'none';
  status: number;
  /** `fingerprint()` of the bearer token; null where there was none. */
  token: string | null;
  /** Why it was not authenticated. */
  why: string | null;
}

/** A small Kubernetes API server: TLS, authentication, and as much of the API as kubectl needs to list pods. */
export interface KubernetesApi {
  /** Its address, as in a kubeconfig. */
  readonly server: string;
  readonly caPem: string;
  /** All that arrived, oldest first. */
  readonly requests: readonly ApiRequest[];
  /** Answers 401 to these tokens from now on, as after a revocation. */
  rejectTokens(...tokens: string[]): void;
  /** The same on these paths alone, as a proxy or a webhook before the server may do. */
  rejectTokensOn(paths: RegExp, ...tokens: string[]): void;
  /** Answers 401 to everybody, or stops doing so. */
  rejectAll(reject: boolean): void;
  /** Takes back all rejections. */
  acceptAll(): void;
  /** What authenticated users are told from now on to `GET /a/path`; null: as usual again. */
  serve(question: string, answer: Answer | null): void;
  /** Waits this long before each answer from now on. */
  delayAnswers(milliseconds: number): void;
  /** Ends all connections: who comes again makes a new handshake. */
  dropConnections(): void;
  /** Ends those that no request is under way on. */
  dropIdleConnections(): void;
  forgetRequests(): void;
  dispose(): Promise<void>;
}

export interface Answer {
  status: number;
  /** A text is sent as it is. */
  body: object | string;
  headers?: Readonly<Record<string, string>>;
}

const podsPath = /^\/api\/v1(?:\/namespaces\/([^/]+))?\/pods$/;

/** What an authenticated user is told. */
function answer(request: IncomingMessage, path: string, user: KubernetesUser, reviews: Reviews): Answer {
  const accept = request.headers.accept ?? '';
  const pods = podsPath.exec(path);
  if (request.method === 'GET' && pods) {
    const namespace = pods[1] ?? 'default';
    return { status: 200, body: accept.includes('as=Table') ? podTable(namespace) : podList(namespace) };
  }
  switch (`${request.method} ${path}`) {
    case 'GET /version':
      return { status: 200, body: version };
    case 'GET /api':
      return { status: 200, body: coreVersions };
    case 'GET /apis':
      return { status: 200, body: groups };
    case 'GET /api/v1':
      return { status: 200, body: coreResources };
    case 'GET /apis/authentication.k8s.io/v1':
      return { status: 200, body: authenticationResources };
    case `POST /apis/authentication.k8s.io/${reviews}/selfsubjectreviews`:
      return { status: 201, body: selfSubjectReview(user.name, user.groups, reviews) };
    case 'POST /apis/authentication.k8s.io/v1/selfsubjectreviews':
      return reviews === 'forbidden'
        ? { status: 403, body: failure(403, 'Forbidden', 'forbidden') }
        : notFound;
    default:
      return notFound;
  }
}

const notFound: Answer = {
  status: 404,
  body: failure(404, 'NotFound', 'the server could not find the requested resource'),
};

/** Starts a server on a free port of 127.0.0.1. There are no anonymous users: without a credential it says 401. */
export async function startKubernetesApi(options: KubernetesApiOptions = {}): Promise<KubernetesApi> {
  const ca = options.ca ?? (await createCa('Lanyard test cluster CA'));
  const certificate = options.certificate ?? (await issueServerCertificate(ca, options.hosts));
  const authenticator = createAuthenticator(
    options.oidc ?? null,
    new Map(Object.entries(options.staticTokens ?? {})),
  );
  const requests: ApiRequest[] = [];
  /** By token, on which paths. */
  const rejected = new Map<string, RegExp>();
  const served = new Map<string, Answer>();
  let rejectsAll = false;
  let delayMilliseconds = 0;

  const judge = async (request: IncomingMessage, path: string): Promise<Authenticated> => {
    const token = bearerToken(request);
    const isRejected = token !== null && (rejected.get(token)?.test(path) ?? false);
    const found = await authenticator.authenticate(request);
    return rejectsAll || isRejected ? { ok: false, via: found.via, why: 'rejected by the test' } : found;
  };

  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const at = Date.now();
    const token = bearerToken(request);
    const path = new URL(request.url ?? '/', 'https://localhost').pathname;
    const found = await judge(request, path);
    if (found.ok && options.more?.handle(request, response)) {
      return;
    }
    const { status, body, headers }: Answer = found.ok
      ? (served.get(`${request.method} ${path}`) ??
        answer(request, path, found.user, options.reviews ?? 'v1'))
      : { status: 401, body: failure(401, 'Unauthorized', 'Unauthorized') };
    requests.push({
      at,
      method: request.method ?? '',
      path,
      user: found.ok ? found.user.name : null,
      groups: found.ok ? found.user.groups : [],
      via: found.via,
      status,
      token: token === null ? null : fingerprint(token),
      why: found.ok ? null : found.why,
    });
    request.resume();
    if (delayMilliseconds > 0) {
      await new Promise((resolve) => setTimeout(resolve, delayMilliseconds));
    }
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  };

  const server = createServer(
    {
      key: certificate.keyPem,
      cert: certificate.chainPem,
      // The handshake succeeds whatever the client shows; what it showed counts afterwards, as in kube-apiserver.
      ...(options.clientCa
        ? { requestCert: true, rejectUnauthorized: false, ca: [options.clientCa.certificatePem] }
        : {}),
      // A resumed session would not show the certificate again.
      secureOptions: constants.SSL_OP_NO_TICKET,
    },
    (request, response) => {
      handle(request, response).catch(() => response.destroy());
    },
  );
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    server: `https://127.0.0.1:${port}`,
    caPem: ca.certificatePem,
    requests,
    rejectTokens: (...tokens) => {
      for (const token of tokens) {
        rejected.set(token, /^/);
      }
    },
    rejectTokensOn: (paths, ...tokens) => {
      for (const token of tokens) {
        rejected.set(token, paths);
      }
    },
    rejectAll: (reject) => {
      rejectsAll = reject;
    },
    acceptAll: () => {
      rejectsAll = false;
      rejected.clear();
    },
    serve: (question, told) => {
      if (told) {
        served.set(question, told);
      } else {
        served.delete(question);
      }
    },
    delayAnswers: (milliseconds) => {
      delayMilliseconds = milliseconds;
    },
    dropConnections: () => server.closeAllConnections(),
    dropIdleConnections: () => server.closeIdleConnections(),
    forgetRequests: () => {
      requests.length = 0;
    },
    dispose: async () => {
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      });
      await authenticator.dispose();
    },
  };
}
