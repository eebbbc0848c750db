import type { Context } from 'oidc-provider';
import type { ProfilePaths, ProviderProfile, Situation } from './profile.ts';

/** oidc-provider's own places. */
const ownPaths: Readonly<Record<keyof ProfilePaths, string>> = {
  authorization: '/auth',
  token: '/token',
  jwks: '/jwks',
  deviceAuthorization: '/device/auth',
  userinfo: '/me',
  revocation: '/token/revocation',
  endSession: '/session/end',
};

const discoveryFields: Readonly<Record<keyof ProfilePaths, string>> = {
  authorization: 'authorization_endpoint',
  token: 'token_endpoint',
  jwks: 'jwks_uri',
  deviceAuthorization: 'device_authorization_endpoint',
  userinfo: 'userinfo_endpoint',
  revocation: 'revocation_endpoint',
  endSession: 'end_session_endpoint',
};

const names = Object.keys(ownPaths) as (keyof ProfilePaths)[];
const wellKnown = '/.well-known/openid-configuration';

type Fields = Readonly<Record<string, unknown>>;

/** What a profile changes on the way in and out of oidc-provider. */
export class ProfileFront {
  readonly #profile: ProviderProfile;
  readonly #origin: string;
  /** Google gives a refresh token at the first consent, or with `prompt=consent`: who has consented, by code. */
  readonly #offline = new Map<string, { offline: boolean; asked: boolean }>();
  readonly #consented = new Set<string>();

  constructor(profile: ProviderProfile, origin: string) {
    this.#profile = profile;
    this.#origin = origin;
  }

  /** The path as oidc-provider knows it. */
  ownPath(path: string): string {
    const { issuerPath, paths } = this.#profile;
    if (path === `${issuerPath.replace(/\/$/, '')}${wellKnown}`) {
      return wellKnown;
    }
    const name = names.find((one) => paths[one] === path);
    return name ? ownPaths[name] : path;
  }

  /** Call it with each authorization request that comes in. */
  authorizing(query: URLSearchParams): void {
    this.#offline.set(query.get('code_challenge') ?? '', {
      offline: query.get('access_type') === 'offline',
      asked: (query.get('prompt') ?? '').split(' ').includes('consent'),
    });
  }

  /** Whether a login brings a refresh token. */
  givesRefreshToken(login: {
    scopes: ReadonlySet<string>;
    accountId: string;
    codeChallenge: string | null;
  }): boolean {
    switch (this.#profile.refreshToken) {
      case 'never':
        return false;
      case 'always':
        return true;
      case 'offlineAccess':
        return login.scopes.has('offline_access');
      case 'accessType': {
        if (login.codeChallenge === null) {
          return true; // a device login
        }
        const wish = this.#offline.get(login.codeChallenge);
        const first = !this.#consented.has(login.accountId);
        this.#consented.add(login.accountId);
        return (wish?.offline ?? false) && (first || (wish?.asked ?? false));
      }
    }
  }

  discovery(document: Fields): Fields {
    const { paths, announces, discovery } = this.#profile;
    const endpoints = names.map((name) => {
      const path = paths[name];
      return [discoveryFields[name], path === null ? null : `${this.#origin}${path}`];
    });
    return put(document, {
      ...Object.fromEntries(endpoints),
      token_endpoint_auth_methods_supported: announces.authMethods,
      authorization_response_iss_parameter_supported: announces.issParameter ? true : null,
      ...(announces.pkce ? {} : { code_challenge_methods_supported: null }),
      ...discovery,
    });
  }

  deviceAnswer(answer: Fields): Fields {
    const { verificationField, verificationComplete } = this.#profile;
    const { verification_uri, verification_uri_complete, ...rest } = answer;
    return {
      ...rest,
      [verificationField]: verification_uri,
      ...(verificationComplete ? { verification_uri_complete } : {}),
    };
  }

  /** A scope that this provider doesn't know, at the device endpoint or in an authorization request. */
  refusedScope(scope: string | null): boolean {
    return (scope ?? '').split(' ').some((one) => this.#profile.refusedScopes.includes(one));
  }

  needsSecret(grantType: string | undefined): boolean {
    return this.#profile.deviceNeedsSecret && (grantType ?? '').endsWith('device_code');
  }

  tokenAnswer(answer: Fields, refresh: boolean): Fields {
    const { tokenAnswer, refreshAnswer } = this.#profile;
    return put(put(answer, tokenAnswer), refresh ? refreshAnswer : {});
  }

  /** Says it in the vendor's words. `body` is what the standard says; `detail` is what oidc-provider knows. */
  reword(ctx: Context, detail: string | null): void {
    const body = ctx.body as Fields;
    const situation = situationOf(body['error'], detail, ctx.oidc?.params?.['grant_type']);
    if (situation !== null) {
      this.say(ctx, situation, body['error']);
    }
  }

  say(ctx: Context, situation: Situation, standard: unknown): void {
    const wording = this.#profile.wordings[situation];
    if (wording || standard === undefined) {
      ctx.status = wording?.status ?? Math.max(ctx.status, 400);
      ctx.body = {
        error: wording?.error ?? standard ?? 'invalid_request',
        ...(wording?.description === undefined ? {} : { error_description: wording.description }),
        ...wording?.more,
      };
    }
  }

  /** Where an authorization answer goes, as this provider sends it. */
  redirect(location: string): string {
    if (this.#profile.announces.issParameter || !URL.canParse(location)) {
      return location;
    }
    const url = new URL(location);
    url.searchParams.delete('iss');
    return url.href;
  }
}

function situationOf(error: unknown, detail: string | null, grantType: string | undefined): Situation | null {
  switch (error) {
    case 'authorization_pending':
      return 'pending';
    case 'slow_down':
      return 'slowDown';
    case 'access_denied':
      return 'declined';
    case 'expired_token':
      return 'codeExpired';
    case 'invalid_client':
      return 'clientRejected';
    case 'invalid_scope':
      return 'scopeRefused';
    case 'invalid_grant':
      if (grantType !== 'refresh_token') {
        return null;
      }
      return detail?.includes('already used')
        ? 'refreshReused'
        : detail?.includes('expired')
          ? 'refreshExpired'
          : 'refreshEnded';
    default:
      return null;
  }
}

/** `over` put over `under`; null takes a field out. */
function put(under: Fields, over: Fields): Fields {
  return Object.fromEntries(Object.entries({ ...under, ...over }).filter(([, value]) => value !== null));
}
