import { randomBytes } from 'node:crypto';
import type { Socket } from 'node:net';

import type { Context, Provider } from 'oidc-provider';
import { type CertificateAuthority, createCa, type IssuedCertificate } from './certificates.ts';
import { type Chaos, createChaosDice } from './openid/chaos.ts';
import {
  type ProviderCounts,
  ProviderRecords,
  type RefreshRecord,
  type SeenRequest,
} from './openid/counts.ts';
import { type Endpoint, endpointOf, type Fault, Faults, withFault } from './openid/faults.ts';
import type { Identity } from './openid/identity.ts';
import { createInstance, type Lifetimes } from './openid/instance.ts';
import { makeProviderKeys, type ProviderKeys, type SigningAlgorithm } from './openid/keys.ts';
import { close, createListener, type Handler, listen, type TlsOptions } from './openid/listener.ts';
import { loadProvider } from './openid/load.ts';
import { createPerson, type Person } from './openid/person.ts';
import type { ProviderProfile, ReusePolicy } from './openid/profile.ts';
import { createProfileObserver } from './openid/profile-observer.ts';
import { OpenIdStore } from './openid/store.ts';
import { TokenExchange } from './openid/token-exchange.ts';

export { fingerprint } from './openid/counts.ts';
export type {
  Chaos,
  Endpoint,
  Fault,
  Identity,
  Lifetimes,
  Person,
  ProviderCounts,
  ProviderProfile,
  RefreshRecord,
};

export interface OpenIdProviderOptions {
  /** `{}` makes a CA of its own; `{ ca }` uses that one; null serves plain http. TLS unless told otherwise. */
  tls?: TlsOptions | null;
  /** What it calls itself in place of its address, where a proxy leads there: `https://id.example.com`. */
  origin?: string;
  /** RS256 unless told otherwise, as Kubernetes expects. */
  algorithm?: SigningAlgorithm;
  /** Opaque unless told otherwise. */
  accessToken?: 'jwt' | 'opaque';
  lifetimes?: Partial<Lifetimes>;
  /** What the provider tells clients to wait between polls; 1 unless told otherwise, null leaves it out. */
  pollSeconds?: number | null;
  /** Claims by login name; any other name is somebody in the group `developers`. */
  identities?: Readonly<Record<string, Identity>>;
  /** Audiences that tokens are exchanged for (RFC 8693); without it the provider doesn't know that grant. */
  exchangeAudiences?: readonly string[];
  /** More clients, as oidc-provider's own metadata; redirect addresses and the like as for the others. */
  clients?: readonly Readonly<Record<string, unknown>>[];
  /** Clients authenticate by certificates of this CA at addresses of their own (RFC 8705, `mtls_endpoint_aliases`). */
  clientCa?: CertificateAuthority;
  /** Behaves like a vendor's product (openid/profiles.ts); `accessToken` is then the profile's. */
  profile?: ProviderProfile;
}

/** A running OpenID provider (oidc-provider) with its counts, its faults and a person at its pages. */
export interface OpenIdProvider {
  readonly issuer: string;
  readonly jwksUri: string;
  /** The CA of its certificate; null over plain http. */
  readonly caPem: string | null;
  /** Public: no secret, device flow, code with PKCE to `http://127.0.0.1/callback` at any port, refresh. */
  readonly clientId: string;
  readonly confidentialClient: { id: string; secret: string };
  readonly lifetimes: Lifetimes;
  readonly counts: ProviderCounts;
  /** Each use of a refresh token, oldest first. */
  readonly refreshes: readonly RefreshRecord[];
  /** Every token and device code that was handed out, as it is: what must not turn up where it doesn't belong. */
  readonly issued: ReadonlySet<string>;
  /** The last request to an endpoint that the provider handled, as it was sent. */
  lastRequest(endpoint: Endpoint): SeenRequest | null;
  /** A refresh or opaque access token that is still good for something. */
  knows(token: string): boolean;
  readonly person: Person;
  /** There with `exchangeAudiences`. */
  readonly tokenExchange: TokenExchange | null;
  /** Takes force with the next request; `all` is for the endpoints without a fault of their own. */
  setFault(endpoint: Endpoint | 'all', fault: Fault): void;
  clearFaults(): void;
  /** Put over what the discovery document says; undefined takes a value out. */
  setDiscovery(values: Readonly<Record<string, unknown>>): void;
  /** Faults by chance at requests without one of their own, until it is called with null. */
  setChaos(chaos: Chaos | null): void;
  /** What becomes of a used refresh token: as the profile says; may be changed at any time. */
  reuse: ReusePolicy;
  /** Takes the port out of service and back: connections are refused meanwhile. */
  stopListening(): Promise<void>;
  resumeListening(): Promise<void>;
  /** Serves another certificate from the next connection on. */
  useCertificate(certificate: IssuedCertificate): void;
  /** Signs with a new key; the old one stays published unless told otherwise. */
  rotateKeys(options?: { keepOld?: boolean }): Promise<void>;
  /** Ends all that was granted to `login`, as an administrator does. Hands back how many entries went. */
  revokeGrant(login: string): number;
  /** Ends the refresh tokens of `login` alone. */
  revokeRefreshTokens(login: string): number;
  /** Lets all device codes run out now. */
  expireDeviceCodes(): void;
  dispose(): Promise<void>;
}

const defaultLifetimes: Lifetimes = {
  idTokenSeconds: 600,
  accessTokenSeconds: 600,
  refreshTokenSeconds: 24 * 3600,
  deviceCodeSeconds: 300,
};

/** Starts a provider on a free port of 127.0.0.1. Several can run beside each other; nothing is shared. */
export async function startOpenIdProvider(options: OpenIdProviderOptions = {}): Promise<OpenIdProvider> {
  const ProviderClass = await loadProvider();
  const faults = new Faults();
  const records = new ProviderRecords();
  const store = new OpenIdStore();
  const lifetimes = { ...defaultLifetimes, ...options.lifetimes };
  const pollSeconds = options.pollSeconds === undefined ? 1 : options.pollSeconds;
  const algorithm = options.algorithm ?? 'RS256';
  const cookieKeys = [randomBytes(16).toString('hex')];
  const confidentialClient = { id: 'kubernetes-confidential', secret: randomBytes(16).toString('hex') };
  const clientId = 'kubernetes';
  const tokenExchange = options.exchangeAudiences ? new TokenExchange(options.exchangeAudiences) : null;

  const handler: Handler = (request, response) => {
    const url = new URL(request.url ?? '/', 'http://localhost');
    const path = profiled?.ownPath(url.pathname) ?? url.pathname;
    request.url = `${path}${url.search}`;
    void instanceFor(endpointOf(path)).callback()(request, response);
  };
  // One authority for both of its addresses.
  const tls = options.clientCa ? { ca: await createCa('Lanyard test provider CA') } : options.tls;
  const { server, caPem, useCertificate } = await createListener(tls, handler);
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    if (faults.at('all').kind === 'down') {
      socket.destroy();
    }
  });
  const port = await listen(server, 0);
  const mutual = options.clientCa ? await createListener(tls, handler, options.clientCa) : null;
  const mutualOrigin = mutual && `https://127.0.0.1:${await listen(mutual.server, 0)}`;
  const origin = `${caPem === null ? 'http' : 'https'}://127.0.0.1:${port}`;
  const issuer = `${options.origin ?? origin}${options.profile?.issuerPath ?? ''}`;
  const profiled = options.profile
    ? createProfileObserver(options.profile, { origin, publicClientId: clientId })
    : null;
  if (options.profile) {
    store.reuse = options.profile.reuse;
  }

  let discovery: Readonly<Record<string, unknown>> = {};
  const observe = async (ctx: Context, next: () => Promise<void>) => {
    const endpoint = endpointOf(ctx.path);
    const fault = faults.meet(endpoint);
    const receivedAt = Date.now();
    records.arrived(endpoint);
    await withFault(ctx, fault, async () => {
      await (profiled ? profiled.observe(ctx, endpoint, next) : next());
      records.handled(endpoint, ctx);
      if (endpoint === 'token') {
        records.handledToken(ctx, receivedAt);
        records.gaveOut(ctx.body);
      } else if (endpoint === 'jwks') {
        ctx.body = { keys: published };
      } else if (endpoint === 'discovery' && fault.kind === 'wrongIssuer') {
        ctx.body = { ...(ctx.body as object), issuer: `${issuer}/other` };
      } else if (endpoint === 'discovery') {
        ctx.body = { ...(ctx.body as object), ...aliases(ctx.body), ...discovery };
      } else if (endpoint === 'device_authorization' && ctx.status === 200) {
        records.gaveOut(ctx.body);
        ctx.body = { ...(ctx.body as object), ...(pollSeconds === null ? {} : { interval: pollSeconds }) };
      }
    });
  };

  const aliases = (body: unknown) =>
    mutualOrigin && {
      mtls_endpoint_aliases: Object.fromEntries(
        ['token_endpoint', 'device_authorization_endpoint', 'revocation_endpoint'].map((name) => [
          name,
          String((body as Record<string, unknown>)[name]).replace(origin, mutualOrigin),
        ]),
      ),
    };
  const identityOf = (login: string): Identity =>
    options.identities?.[login] ?? { name: login, email: `${login}@example.com`, groups: ['developers'] };
  const logins = new Map<string, string>();
  const subjectOf = (login: string) => {
    const subject = profiled?.claims(login, identityOf(login))['sub'];
    logins.set(typeof subject === 'string' ? subject : login, login);
    return typeof subject === 'string' ? subject : login;
  };
  const makeInstance = (instanceKeys: ProviderKeys, instanceIssuer: string): Provider => {
    const instance = createInstance({
      Provider: ProviderClass,
      issuer: instanceIssuer,
      keys: instanceKeys,
      store,
      cookieKeys,
      lifetimes,
      accessToken: options.profile?.accessToken ?? options.accessToken ?? 'opaque',
      publicClientId: clientId,
      confidentialClient,
      clients: options.clients ?? [],
      tokenExchange,
      identityOf,
      subjects: { subjectOf, loginOf: (subject) => logins.get(subject) ?? subject },
      claimsOf: profiled && ((login) => profiled.claims(login, identityOf(login))),
      givesRefreshToken: profiled && ((source) => profiled.givesRefreshToken(source)),
      rotates: options.profile?.rotates ?? null,
    });
    profiled?.listen(instance);
    return instance.use(observe);
  };

  const strange = once(() => makeProviderKeys(algorithm));
  let keys: ProviderKeys;
  let published: unknown[] = [];
  // A test mostly needs one of them, and none is cheap to make.
  let honest: () => Provider;
  let wrongIssuer: () => Provider;
  let unknownKey: () => Provider;
  let unknownKeySameId: () => Provider;
  const useKeys = (next: ProviderKeys, kept: readonly unknown[]) => {
    keys = next;
    published = [next.published, ...kept];
    honest = once(() => makeInstance(next, issuer));
    wrongIssuer = once(() => makeInstance(next, `${issuer}/other`));
    unknownKey = once(() => makeInstance(strange(), issuer));
    unknownKeySameId = once(() => {
      const signing = { ...strange().signing, kid: next.keyId };
      return makeInstance({ ...strange(), signing, keyId: next.keyId }, issuer);
    });
  };
  useKeys(makeProviderKeys(algorithm), []);

  function instanceFor(endpoint: Endpoint): Provider {
    const fault = faults.at(endpoint);
    if (endpoint !== 'token') {
      return honest();
    }
    switch (fault.kind) {
      case 'wrongIssuer':
        return wrongIssuer();
      case 'unknownKey':
        return fault.sameKeyId ? unknownKeySameId() : unknownKey();
      default:
        return honest();
    }
  }

  const person = createPerson(`${origin}/device`, caPem);
  return {
    issuer,
    jwksUri: `${origin}/jwks`,
    caPem,
    clientId,
    confidentialClient,
    lifetimes,
    counts: records.counts,
    refreshes: records.refreshes,
    issued: records.issued,
    lastRequest: (endpoint) => records.last.get(endpoint) ?? null,
    knows: (token) =>
      ['RefreshToken', 'AccessToken', 'ClientCredentials'].some((model) => {
        let known = false;
        store.each(model, ({ jti, consumed }) => {
          known ||= jti === token && consumed === undefined;
        });
        return known;
      }),
    person,
    tokenExchange,
    setFault: (endpoint, fault) => {
      faults.set(endpoint, fault);
      if (endpoint === 'all' && fault.kind === 'down') {
        for (const socket of sockets) {
          socket.destroy();
        }
      }
    },
    clearFaults: () => faults.clear(),
    setDiscovery: (values) => {
      discovery = values;
    },
    setChaos: (chaos) => {
      faults.dice = chaos && createChaosDice(chaos);
    },
    get reuse() {
      return store.reuse;
    },
    set reuse(policy) {
      store.reuse = policy;
    },
    stopListening: () => close(server),
    resumeListening: async () => {
      await listen(server, port);
    },
    useCertificate,
    rotateKeys: async ({ keepOld = true } = {}) => {
      useKeys(makeProviderKeys(algorithm), keepOld ? [keys.published] : []);
    },
    revokeGrant: (login) =>
      store.remove((model, payload) => model !== 'Session' && payload.accountId === subjectOf(login)),
    revokeRefreshTokens: (login) =>
      store.remove((model, payload) => model === 'RefreshToken' && payload.accountId === subjectOf(login)),
    expireDeviceCodes: () => {
      store.each('DeviceCode', (payload) => {
        payload.exp = Math.floor(Date.now() / 1000) - 1;
      });
    },
    dispose: async () => {
      await person.dispose();
      await close(server);
      await (mutual && close(mutual.server));
    },
  };
}

/** Makes it with the first call. */
function once<T>(make: () => T): () => T {
  let made: { it: T } | undefined;
  return () => {
    made ??= { it: make() };
    return made.it;
  };
}
