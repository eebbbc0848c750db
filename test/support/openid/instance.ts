import { createHash, randomUUID, type X509Certificate } from 'node:crypto';
import { TLSSocket } from 'node:tls';
import type { Context, Provider } from 'oidc-provider';
import type { Identity } from './identity.ts';
import { interact } from './interactions.ts';
import type { ProviderKeys } from './keys.ts';
import { codePage, confirmPage, donePage, problemPage } from './pages.ts';
import type { OpenIdStore } from './store.ts';
import { type TokenExchange, tokenExchangeGrant } from './token-exchange.ts';

/** The resource whose access tokens are JWTs, when the provider is asked for such. */
export const kubernetesResource = 'urn:kubernetes';

/** Seconds; they may be changed while the provider runs and hold for what is issued from then on. */
export interface Lifetimes {
  idTokenSeconds: number;
  accessTokenSeconds: number;
  refreshTokenSeconds: number;
  deviceCodeSeconds: number;
}

export interface InstanceOptions {
  /** oidc-provider's class, see load.ts. */
  Provider: typeof Provider;
  issuer: string;
  keys: ProviderKeys;
  store: OpenIdStore;
  cookieKeys: readonly string[];
  lifetimes: Lifetimes;
  accessToken: 'jwt' | 'opaque';
  publicClientId: string;
  confidentialClient: { id: string; secret: string };
  /** More clients, as oidc-provider's own metadata. */
  clients: readonly Readonly<Record<string, unknown>>[];
  tokenExchange: TokenExchange | null;
  identityOf(login: string): Identity;
  subjects: Subjects;
  /** Claims in place of the identity's own; null: those. */
  claimsOf: ((login: string) => Readonly<Record<string, unknown>>) | null;
  /** Null: oidc-provider's own rule (`offline_access`). */
  givesRefreshToken: ((source: RefreshSource) => boolean) | null;
  /** Null: oidc-provider's own rule. */
  rotates: boolean | null;
}

/** What the provider calls those who log in. */
export interface Subjects {
  subjectOf(login: string): string;
  loginOf(subject: string): string;
}

/** The code or the device code that is exchanged for tokens. */
export interface RefreshSource {
  scopes: ReadonlySet<string>;
  accountId: string;
  codeChallenge?: string;
}

const deviceGrant = 'urn:ietf:params:oauth:grant-type:device_code';
const scopes = ['openid', 'offline_access', 'profile', 'email', 'groups'];

/** Native clients may use any port (RFC 8252, 7.3); the path is each issuer's own, or what people register. */
function redirectAddresses(issuer: string): string[] {
  const own = createHash('sha256').update(issuer).digest('hex').slice(0, 20);
  return [
    'http://127.0.0.1/callback',
    'http://localhost',
    ...['127.0.0.1', '[::1]'].map((host) => `http://${host}/callback/${own}`),
  ];
}

function clients(options: InstanceOptions) {
  const common = {
    application_type: 'native',
    redirect_uris: redirectAddresses(options.issuer),
    response_types: ['code'],
    id_token_signed_response_alg: options.keys.algorithm,
  };
  const exchange = options.tokenExchange === null ? [] : [tokenExchangeGrant];
  return [
    {
      ...common,
      client_id: options.publicClientId,
      token_endpoint_auth_method: 'none',
      grant_types: ['authorization_code', 'refresh_token', deviceGrant, ...exchange],
    },
    {
      ...common,
      client_id: options.confidentialClient.id,
      client_secret: options.confidentialClient.secret,
      token_endpoint_auth_method: 'client_secret_basic',
      grant_types: ['authorization_code', 'refresh_token', 'client_credentials', deviceGrant, ...exchange],
    },
    ...options.clients.map((client) => ({ ...common, ...client })),
  ];
}

/** The defaults, and RFC 8705. */
const clientAuthMethods = [
  'client_secret_basic',
  'client_secret_jwt',
  'client_secret_post',
  'private_key_jwt',
  'none',
  'tls_client_auth',
  'self_signed_tls_client_auth',
];

/** The defaults, and what keys on tokens sign with. */
const clientAuthAlgorithms = [
  ...['HS256', 'EdDSA', 'Ed25519'],
  ...['RS256', 'PS256', 'ES256', 'RS384', 'PS384', 'ES384', 'RS512', 'PS512'],
];

function features(options: InstanceOptions) {
  return {
    devInteractions: { enabled: false },
    clientCredentials: { enabled: true },
    revocation: { enabled: true, allowedPolicy: async () => true },
    rpInitiatedLogout: { enabled: false },
    mTLS: {
      enabled: true,
      tlsClientAuth: true,
      selfSignedTlsClientAuth: true,
      // Of clients that want it.
      certificateBoundAccessTokens: true,
      getCertificate: (ctx: Context) => peerCertificate(ctx)?.toString(),
      certificateAuthorized: (ctx: Context) => (ctx.req.socket as TLSSocket).authorized,
      certificateSubjectMatches: (ctx: Context, _property: string, expected: string) =>
        peerCertificate(ctx)?.subject === expected,
    },
    deviceFlow: {
      enabled: true,
      userCodeInputSource: async (ctx: Context, form: string, _out: unknown, error?: Error) => {
        ctx.type = 'html';
        ctx.body = codePage(form, error ? error.message : null);
      },
      userCodeConfirmSource: async (
        ctx: Context,
        form: string,
        client: { clientId: string },
        _device: unknown,
        userCode: string,
      ) => {
        ctx.type = 'html';
        ctx.body = confirmPage(form, client.clientId, userCode);
      },
      successSource: async (ctx: Context) => {
        ctx.type = 'html';
        ctx.body = donePage();
      },
    },
    resourceIndicators: {
      enabled: options.accessToken === 'jwt',
      defaultResource: async () => kubernetesResource,
      useGrantedResource: async () => true,
      getResourceServerInfo: async () => ({
        scope: 'groups email',
        audience: options.publicClientId,
        accessTokenFormat: 'jwt',
        accessTokenTTL: options.lifetimes.accessTokenSeconds,
        jwt: { sign: { alg: options.keys.algorithm } },
      }),
    },
  };
}

/** Who is at the other end in TLS; undefined where nobody was asked. */
function peerCertificate(ctx: Context): X509Certificate | undefined {
  const { socket } = ctx.req;
  return socket instanceof TLSSocket ? socket.getPeerX509Certificate() : undefined;
}

const claimsByScope: Readonly<Record<string, readonly string[]>> = {
  openid: ['sub', 'jti'],
  profile: ['name'],
  email: ['email'],
  groups: ['groups'],
};

function configuration(options: InstanceOptions) {
  const claimsOf = options.claimsOf ?? options.identityOf;
  const { givesRefreshToken, rotates } = options;
  const { loginOf } = options.subjects;
  // A vendor's own claims come with any login.
  const scoped = Object.values(claimsByScope).flat();
  const unscoped = Object.keys(claimsOf('anybody')).filter((claim) => !scoped.includes(claim));
  return {
    ...(givesRefreshToken === null
      ? {}
      : {
          issueRefreshToken: async (_ctx: Context, _client: unknown, source: RefreshSource) =>
            givesRefreshToken(source),
        }),
    ...(rotates === null ? {} : { rotateRefreshToken: rotates }),
    adapter: options.store.adapter,
    jwks: { keys: [options.keys.signing] },
    cookies: { keys: options.cookieKeys },
    clients: clients(options),
    scopes,
    claims: { ...claimsByScope, openid: ['sub', 'jti', ...unscoped] },
    // Kubernetes reads the id token alone: all claims of the granted scopes are in it.
    conformIdTokenClaims: false,
    clientAuthMethods,
    enabledJWA: { clientAuthSigningAlgValues: clientAuthAlgorithms },
    features: features(options),
    findAccount: async (_ctx: Context, subject: string) => ({
      accountId: subject,
      // Two tokens of one second differ, as with other providers.
      claims: async () => ({ ...claimsOf(loginOf(subject)), jti: randomUUID(), sub: subject }),
    }),
    extraTokenClaims: async (_ctx: Context, token: { accountId?: string }) =>
      token.accountId === undefined ? undefined : { ...claimsOf(loginOf(token.accountId)) },
    interactions: {
      url: async (_ctx: Context, interaction: { uid: string }) => `/interaction/${interaction.uid}`,
    },
    clientBasedCORS: () => false,
    renderError: async (ctx: Context, out: { error: string; error_description?: string }) => {
      ctx.type = 'html';
      ctx.body = problemPage(out.error, out.error_description ?? '');
    },
    ttl: {
      IdToken: () => options.lifetimes.idTokenSeconds,
      AccessToken: () => options.lifetimes.accessTokenSeconds,
      ClientCredentials: () => options.lifetimes.accessTokenSeconds,
      RefreshToken: () => options.lifetimes.refreshTokenSeconds,
      DeviceCode: () => options.lifetimes.deviceCodeSeconds,
      AuthorizationCode: 60,
      Interaction: 3600,
      Session: 3600,
      Grant: 30 * 24 * 3600,
    },
  };
}

/** An oidc-provider over `store`, with the pages a person uses. Several may share one store. */
export function createInstance(options: InstanceOptions): Provider {
  const provider = new options.Provider(options.issuer, configuration(options));
  options.tokenExchange?.register(provider, {
    issuer: options.issuer,
    signing: options.keys.signing,
    algorithm: options.keys.algorithm,
    store: options.store,
    seconds: () => options.lifetimes.accessTokenSeconds,
  });
  // Koa prints what nobody listens for; a client that leaves early is what some tests are about.
  provider.on('error', (error) => {
    if (!['ECONNRESET', 'EPIPE'].includes((error as NodeJS.ErrnoException).code ?? '')) {
      console.error(error);
    }
  });
  provider.use(async (ctx, next) => {
    if (!ctx.path.startsWith('/interaction/')) {
      await next();
      return;
    }
    try {
      await interact(provider, ctx, options.subjects.subjectOf);
    } catch (error) {
      ctx.status = 400;
      ctx.type = 'html';
      ctx.body = problemPage('this page is over', error instanceof Error ? error.message : '');
    }
  });
  return provider;
}
