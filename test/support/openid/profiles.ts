import { createHash } from 'node:crypto';
import type { ProviderProfile } from './profile.ts';

/*
 * Six vendors, as their documentation or source tells of them. Each fact is followed by where it is said. `real` is
 * done by oidc-provider itself (refresh tokens and their rotation, lives, claims, the flows), `rewritten` by
 * profile-front.ts on the way in or out (paths, the discovery document, words and statuses of errors, fields that
 * are left out). Where a vendor lets its administrator choose, the table has what is on without a choice, or what
 * hurts more. All of them are over one oidc-provider: what isn't in the table is that one's way.
 */

/** Hex of a name as a UUID, as directories number their groups. */
function uuidOf(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join(
    '-',
  );
}

const plain = {
  refusedScopes: [],
  deviceNeedsSecret: false,
  verificationField: 'verification_uri',
  verificationComplete: true,
  tokenAnswer: {},
  refreshAnswer: {},
  discovery: {},
} as const;

/**
 * Dex 2.44 and its main branch of August 2026, from its source.
 * - Endpoints, auth methods without `none`, no revocation, no end_session while sessions are off:
 *   server/discovery/discovery.go. Rewritten.
 * - Refresh token for `offline_access` alone: dexidp.io/docs/configuration/tokens. Real.
 * - Rotation, with `reuseInterval` (3 s in the sample configuration; here longer, so that no test hurries): within
 *   it the used token is taken again, later it is refused and the login stays: server/tokens/refresh_lookup.go. Real;
 *   Dex gives the same new token twice, here it is another one.
 * - A used, unknown or expired refresh token is `invalid_request`, not `invalid_grant`: refreshLookupError in
 *   server/grants/refresh.go. Rewritten.
 * - `name`, `groups` as names; `sub` is an opaque pair of user and connector: server/tokens/claims.go. Real.
 * - Access tokens are JWTs for the client itself: server/tokens/issuer.go. Real.
 */
export const dex: ProviderProfile = {
  ...plain,
  name: 'dex',
  issuerPath: '/dex',
  paths: {
    authorization: '/dex/auth',
    token: '/dex/token',
    jwks: '/dex/keys',
    deviceAuthorization: '/dex/device/code',
    userinfo: '/dex/userinfo',
    revocation: null,
    endSession: null,
  },
  announces: { authMethods: ['client_secret_basic', 'client_secret_post'], issParameter: false, pkce: true },
  accessToken: 'jwt',
  refreshToken: 'offlineAccess',
  rotates: true,
  reuse: { graceSeconds: 30, after: 'refused' },
  claims: (login, identity) => ({
    ...identity,
    sub: Buffer.from(`\n\u0005${login}\u0012\u0004ldap`).toString('base64url'),
    email_verified: true,
  }),
  wordings: {
    refreshReused: {
      error: 'invalid_request',
      description: 'Refresh token is invalid or has already been claimed by another client.',
    },
    refreshEnded: {
      error: 'invalid_request',
      description: 'Refresh token is invalid or has already been claimed by another client.',
    },
    refreshExpired: { error: 'invalid_request', description: 'Refresh token expired.' },
    clientRejected: { description: 'Invalid client credentials.' },
  },
};

/**
 * Keycloak 26.
 * - Endpoints under the realm, RFC 9207's `iss` announced: Keycloak, Securing applications guide, OpenID Connect
 *   endpoints; server_admin "Compatibility with older adapters" (Exclude Issuer From Authentication Response).
 *   Rewritten.
 * - A refresh token with each login; `offline_access` makes one that outlives the browser's session: server_admin,
 *   "Offline access". Real.
 * - "Revoke Refresh Token" with reuse 0: a second use is refused and ends the session: server_admin, "Session and
 *   token timeouts"; TokenManager.java. Real; off without a choice, on here since it is what hurts.
 * - "Session not active", "Token is not active", "Maximum allowed refresh token reuse exceeded":
 *   TokenManager.java (validateToken, verifyRefreshToken, validateTokenReuse). Rewritten.
 * - Groups by the "Group Membership" mapper, with their full path: server_admin, "Protocol mappers". Real.
 * - Revocation (RFC 7009) and end_session_endpoint: same guide. Real.
 */
export const keycloak: ProviderProfile = {
  ...plain,
  name: 'keycloak',
  issuerPath: '/realms/kubernetes',
  paths: {
    authorization: '/realms/kubernetes/protocol/openid-connect/auth',
    token: '/realms/kubernetes/protocol/openid-connect/token',
    jwks: '/realms/kubernetes/protocol/openid-connect/certs',
    deviceAuthorization: '/realms/kubernetes/protocol/openid-connect/auth/device',
    userinfo: '/realms/kubernetes/protocol/openid-connect/userinfo',
    revocation: '/realms/kubernetes/protocol/openid-connect/revoke',
    endSession: '/realms/kubernetes/protocol/openid-connect/logout',
  },
  announces: {
    authMethods: [
      'private_key_jwt',
      'client_secret_basic',
      'client_secret_post',
      'tls_client_auth',
      'client_secret_jwt',
    ],
    issParameter: true,
    pkce: true,
  },
  accessToken: 'jwt',
  refreshToken: 'always',
  rotates: true,
  reuse: { graceSeconds: 0, after: 'family' },
  claims: (login, identity) => ({
    sub: uuidOf(`keycloak ${login}`),
    preferred_username: login,
    name: identity.name,
    email: identity.email,
    groups: identity.groups.map((group) => `/${group}`),
  }),
  wordings: {
    pending: { description: 'The authorization request is still pending' },
    slowDown: { description: 'Slow down' },
    declined: { description: 'The end user denied the authorization request' },
    codeExpired: { description: 'Device code is expired' },
    refreshReused: { description: 'Maximum allowed refresh token reuse exceeded' },
    refreshExpired: { description: 'Token is not active' },
    refreshEnded: { description: 'Session not active' },
    clientRejected: {
      error: 'unauthorized_client',
      description: 'Invalid client or Invalid client credentials',
    },
  },
};

/**
 * Okta, a custom authorization server.
 * - Endpoints: developer.okta.com/docs/reference/api/oidc. Rewritten.
 * - `offline_access` for a refresh token: developer.okta.com/docs/guides/refresh-tokens. Real.
 * - Rotation with a grace period (30 s as it comes, 0 to 60); a use after it takes back the newest refresh token and
 *   the access tokens: same guide, "Refresh token reuse detection", "Grace period for token rotation". Real.
 * - "The refresh token is invalid or expired.": support.okta.com, article "Okta refresh token invalid or expired".
 *   Rewritten.
 * - Policy refuses with `access_denied`, "Policy evaluation failed for this request, please check the policy
 *   configurations.": developer.okta.com, API access management, policies. Rewritten, by a fault in the tests.
 * - Groups only where the scope `groups` and a claim's filter say so: "Customize tokens with a groups claim". Real.
 */
export const okta: ProviderProfile = {
  ...plain,
  name: 'okta',
  issuerPath: '/oauth2/default',
  paths: {
    authorization: '/oauth2/default/v1/authorize',
    token: '/oauth2/default/v1/token',
    jwks: '/oauth2/default/v1/keys',
    deviceAuthorization: '/oauth2/default/v1/device/authorize',
    userinfo: '/oauth2/default/v1/userinfo',
    revocation: '/oauth2/default/v1/revoke',
    endSession: '/oauth2/default/v1/logout',
  },
  announces: {
    authMethods: [
      'client_secret_basic',
      'client_secret_post',
      'client_secret_jwt',
      'private_key_jwt',
      'none',
    ],
    issParameter: false,
    pkce: true,
  },
  accessToken: 'jwt',
  refreshToken: 'offlineAccess',
  rotates: true,
  reuse: { graceSeconds: 30, after: 'family' },
  claims: (login, identity) => ({
    sub: `00u${createHash('sha256').update(login).digest('hex').slice(0, 17)}`,
    preferred_username: identity.email,
    name: identity.name,
    email: identity.email,
    groups: ['Everyone', ...identity.groups],
  }),
  wordings: {
    pending: { description: 'The device authorization is pending. Please try again later.' },
    declined: { description: 'The resource owner or authorization server denied the request.' },
    refreshReused: { description: 'The refresh token is invalid or expired.' },
    refreshExpired: { description: 'The refresh token is invalid or expired.' },
    refreshEnded: { description: 'The refresh token is invalid or expired.' },
    clientRejected: {
      description: 'The client secret supplied for a confidential client is invalid.',
      status: 401,
    },
  },
};

const tenant = '0a1b2c3d-0000-4000-8000-00000000c0de';
const trace =
  ' Trace ID: 11111111-2222-3333-4444-555555555555 Correlation ID: 66666666-7777-8888-9999-000000000000';

/**
 * Microsoft Entra ID, v2.0 endpoints.
 * - Issuer with the tenant, endpoints elsewhere below it; no revocation endpoint, no `code_challenge_methods_supported`
 *   and no `iss` parameter in its discovery document: learn.microsoft.com/entra/identity-platform/v2-protocols-oidc.
 *   Rewritten.
 * - `offline_access` for a refresh token; a used refresh token is not taken back, and each answer has another one:
 *   identity-platform/refresh-tokens. Real.
 * - Device codes: no `verification_uri_complete`; `authorization_declined` and `bad_verification_code` in place of
 *   the standard's words: identity-platform/v2-oauth2-device-code, "Expected errors". Rewritten.
 * - AADSTS numbers with trace and correlation ids in `error_description`, `error_codes` beside it; 50173 revoked,
 *   700082 unused for long, 70016 pending: identity-platform/reference-error-codes. Rewritten.
 * - `interaction_required` at a refresh where a policy wants the person (AADSTS50076): identity-platform/
 *   v2-oauth2-auth-code-flow, "Error codes for token endpoint errors". Rewritten, by a fault in the tests.
 * - `sub` is of this client alone (pairwise), groups are GUIDs: identity-platform/id-token-claims-reference. Real.
 * - Beyond 200 groups there is `_claim_names` in their place: same page, "Groups overage claim". Real (entraOverage).
 */
export const entra: ProviderProfile = {
  ...plain,
  name: 'entra',
  issuerPath: `/${tenant}/v2.0`,
  paths: {
    authorization: `/${tenant}/oauth2/v2.0/authorize`,
    token: `/${tenant}/oauth2/v2.0/token`,
    jwks: `/${tenant}/discovery/v2.0/keys`,
    deviceAuthorization: `/${tenant}/oauth2/v2.0/devicecode`,
    userinfo: `/${tenant}/oidc/userinfo`,
    revocation: null,
    endSession: `/${tenant}/oauth2/v2.0/logout`,
  },
  announces: {
    authMethods: ['client_secret_post', 'private_key_jwt', 'client_secret_basic'],
    issParameter: false,
    pkce: false,
  },
  accessToken: 'jwt',
  refreshToken: 'offlineAccess',
  rotates: true,
  reuse: { graceSeconds: 0, after: 'accepted' },
  verificationComplete: false,
  claims: (login, identity, clientId) => ({
    sub: createHash('sha256').update(`${clientId} ${login}`).digest('base64url'),
    oid: uuidOf(`entra ${login}`),
    tid: tenant,
    preferred_username: identity.email,
    name: identity.name,
    groups: identity.groups.map((group) => uuidOf(`group ${group}`)),
  }),
  wordings: {
    pending: {
      description: `AADSTS70016: OAuth 2.0 device flow error. Authorization is pending. Continue polling.${trace}`,
      more: { error_codes: [70016] },
    },
    declined: {
      error: 'authorization_declined',
      description: `AADSTS70018: Bad verification code. User might have entered wrong user code.${trace}`,
    },
    codeExpired: {
      description: `AADSTS70020: The provided value for the input parameter 'device_code' is expired.${trace}`,
    },
    refreshExpired: {
      description: `AADSTS700082: The refresh token has expired due to inactivity.${trace}`,
      more: { error_codes: [700082] },
    },
    refreshEnded: {
      description: `AADSTS50173: The provided grant has expired due to it being revoked, a fresh auth token is needed.${trace}`,
      more: { error_codes: [50173], suberror: 'bad_token' },
    },
    clientRejected: {
      description: `AADSTS7000215: Invalid client secret provided.${trace}`,
      more: { error_codes: [7000215] },
      status: 401,
    },
  },
  tokenAnswer: { ext_expires_in: 3599 },
};

/** The same with somebody who is in more groups than a token may hold. */
export const entraOverage: ProviderProfile = {
  ...entra,
  name: 'entra, too many groups',
  claims: (login, identity, clientId) => {
    const { groups: _, ...rest } = entra.claims(login, identity, clientId);
    return {
      ...rest,
      _claim_names: { groups: 'src1' },
      _claim_sources: {
        src1: {
          endpoint: `https://graph.windows.net/${tenant}/users/${String(rest['oid'])}/getMemberObjects`,
        },
      },
    };
  },
};

/**
 * Google.
 * - Endpoints, auth methods, no end_session_endpoint: accounts.google.com/.well-known/openid-configuration as
 *   developers.google.com/identity/openid-connect shows it. Rewritten; Google's are on several hosts.
 * - `offline_access` is `invalid_scope`; a refresh token comes for `access_type=offline`, and at a later consent
 *   only with `prompt=consent`: developers.google.com/identity/openid-connect, "Refresh tokens";
 *   int128/kubelogin issue 405 has the error's text. Real.
 * - Device logins: a client secret is needed at the token endpoint, the page is `verification_url`, pending is HTTP
 *   428, slow_down and access_denied are 403, a refresh token always comes:
 *   developers.google.com/identity/protocols/oauth2/limited-input-device. Rewritten (the refresh token is real).
 * - No rotation; "Token has been expired or revoked.": developers.google.com/identity/protocols/oauth2, "Refresh
 *   token expiration". Real, its words rewritten.
 * - No groups in tokens; `hd` names the domain: openid-connect, "ID token's payload". Real.
 */
export const google: ProviderProfile = {
  ...plain,
  name: 'google',
  issuerPath: '',
  paths: {
    authorization: '/o/oauth2/v2/auth',
    token: '/oauth2/token',
    jwks: '/oauth2/v3/certs',
    deviceAuthorization: '/oauth2/device/code',
    userinfo: '/v1/userinfo',
    revocation: '/oauth2/revoke',
    endSession: null,
  },
  announces: { authMethods: ['client_secret_post', 'client_secret_basic'], issParameter: false, pkce: true },
  accessToken: 'opaque',
  refreshToken: 'accessType',
  rotates: false,
  reuse: { graceSeconds: 0, after: 'accepted' },
  refusedScopes: ['offline_access', 'groups'],
  deviceNeedsSecret: true,
  verificationField: 'verification_url',
  verificationComplete: false,
  claims: (login, identity) => ({
    sub: BigInt(`0x${createHash('sha256').update(login).digest('hex').slice(0, 16)}`).toString(),
    email: identity.email,
    email_verified: true,
    hd: 'example.com',
    name: identity.name,
  }),
  wordings: {
    pending: { status: 428, description: 'Precondition Required' },
    slowDown: { status: 403, description: 'Forbidden' },
    declined: { status: 403, description: 'Forbidden' },
    refreshExpired: { description: 'Token has been expired or revoked.' },
    refreshEnded: { description: 'Token has been expired or revoked.' },
    scopeRefused: {
      description: 'Some requested scopes were invalid. {valid=[openid], invalid=[offline_access]}',
    },
    clientRejected: { status: 401, description: 'The OAuth client was not found.' },
    secretMissing: { error: 'invalid_request', description: 'client_secret is missing.', status: 400 },
  },
};

/**
 * Auth0.
 * - The issuer ends with a slash; endpoints: auth0.com/docs/api/authentication. Rewritten.
 * - `offline_access` for a refresh token: auth0.com/docs/secure/tokens/refresh-tokens/get-refresh-tokens. Real.
 * - Rotation with an overlap ("reuse interval"); a use after it ends the family: .../refresh-token-rotation and
 *   .../configure-refresh-token-rotation. Real.
 * - "Unknown or invalid refresh token." with HTTP 403: support.auth0.com, "Troubleshoot refresh token unknown or
 *   invalid before expiry". Rewritten.
 * - Device logins: pending is 403, slow_down 429: auth0.com/docs/api/authentication/device-authorization-flow.
 *   Rewritten.
 * - `too_many_requests` with HTTP 429 and Retry-After: auth0.com/docs/troubleshoot/.../rate-limit-policy. A fault in
 *   the tests. `unauthorized_client` where the client may not use a grant: .../device-authorization-flow. The same.
 * - An opaque access token without an audience: .../access-tokens/get-access-tokens. Real.
 * - Groups only under a name that is a URL: auth0.com/docs/secure/tokens/json-web-tokens/create-custom-claims. Real.
 */
export const auth0: ProviderProfile = {
  ...plain,
  name: 'auth0',
  issuerPath: '/',
  paths: {
    authorization: '/authorize',
    token: '/oauth/token',
    jwks: '/.well-known/jwks.json',
    deviceAuthorization: '/oauth/device/code',
    userinfo: '/userinfo',
    revocation: '/oauth/revoke',
    endSession: '/oidc/logout',
  },
  announces: {
    authMethods: ['client_secret_basic', 'client_secret_post', 'private_key_jwt', 'none'],
    issParameter: false,
    pkce: true,
  },
  accessToken: 'opaque',
  refreshToken: 'offlineAccess',
  rotates: true,
  reuse: { graceSeconds: 30, after: 'family' },
  claims: (login, identity) => ({
    sub: `auth0|${createHash('sha256').update(login).digest('hex').slice(0, 24)}`,
    nickname: login,
    name: identity.name,
    email: identity.email,
    'https://example.com/groups': identity.groups,
  }),
  wordings: {
    pending: { status: 403, description: 'User has yet to authorize device code.' },
    slowDown: {
      status: 429,
      description: 'You are polling faster than the specified interval of 5 seconds.',
    },
    declined: { status: 403, description: 'User cancelled the confirmation prompt.' },
    codeExpired: { status: 403, description: 'The code has expired or does not exist.' },
    refreshReused: { status: 403, description: 'Unknown or invalid refresh token.' },
    refreshExpired: { status: 403, description: 'Unknown or invalid refresh token.' },
    refreshEnded: { status: 403, description: 'Unknown or invalid refresh token.' },
    clientRejected: { error: 'access_denied', description: 'Unauthorized', status: 401 },
  },
};

/** The six vendors. */
export const vendorProfiles = { dex, keycloak, okta, entra, google, auth0 } as const;
