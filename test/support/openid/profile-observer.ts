import type { Context, Provider } from 'oidc-provider';
import type { Endpoint } from './faults.ts';
import type { Identity } from './identity.ts';
import type { RefreshSource } from './instance.ts';
import { problemPage } from './pages.ts';
import type { ProviderProfile } from './profile.ts';
import { ProfileFront } from './profile-front.ts';

/** A profile in front of oidc-provider's instances. */
export interface ProfileObserver {
  ownPath(path: string): string;
  claims(login: string, identity: Identity): Readonly<Record<string, unknown>>;
  givesRefreshToken(source: RefreshSource): boolean;
  /** Hears what oidc-provider knows of a refusal and doesn't tell. */
  listen(instance: Provider): void;
  /** In place of `handle`, the provider itself. */
  observe(ctx: Context, endpoint: Endpoint, handle: () => Promise<void>): Promise<void>;
}

export function createProfileObserver(
  profile: ProviderProfile,
  at: { origin: string; publicClientId: string },
): ProfileObserver {
  const front = new ProfileFront(profile, at.origin);
  const details = new WeakMap<object, string>();

  async function observe(ctx: Context, endpoint: Endpoint, handle: () => Promise<void>): Promise<void> {
    const query = new URLSearchParams(ctx.querystring);
    if (endpoint === 'authorization') {
      if (front.refusedScope(query.get('scope'))) {
        ctx.status = 400;
        ctx.type = 'html';
        ctx.body = problemPage('invalid_scope', profile.wordings.scopeRefused?.description ?? '');
        return;
      }
      front.authorizing(query);
    }
    await handle();
    const location = ctx.res.getHeader('location');
    if (typeof location === 'string') {
      ctx.set('Location', front.redirect(location));
    }
    if (endpoint === 'discovery') {
      ctx.body = front.discovery(ctx.body as object as Record<string, unknown>);
    } else if (endpoint === 'device_authorization' || endpoint === 'token') {
      answer(ctx, endpoint);
    }
  }

  function answer(ctx: Context, endpoint: 'device_authorization' | 'token'): void {
    const asked = ctx.oidc?.params ?? {};
    const grantType = asked['grant_type'];
    const body = ctx.body as Record<string, unknown>;
    if (endpoint === 'device_authorization' && front.refusedScope(asked['scope'] ?? null)) {
      front.say(ctx, 'scopeRefused', 'invalid_scope');
    } else if (front.needsSecret(grantType) && ctx.oidc?.client?.clientId === at.publicClientId) {
      front.say(ctx, 'secretMissing', 'invalid_request');
    } else if (ctx.status >= 400) {
      front.reword(ctx, details.get(ctx) ?? null);
    } else {
      ctx.body =
        endpoint === 'token'
          ? front.tokenAnswer(body, grantType === 'refresh_token')
          : front.deviceAnswer(body);
    }
  }

  return {
    ownPath: (path) => front.ownPath(path),
    claims: (login, identity) => profile.claims(login, identity, at.publicClientId),
    givesRefreshToken: ({ scopes, accountId, codeChallenge }) =>
      front.givesRefreshToken({ scopes, accountId, codeChallenge: codeChallenge ?? null }),
    listen: (instance) => {
      instance.on('grant.error', (ctx, error) => {
        details.set(ctx as object, String((error as { error_detail?: unknown }).error_detail ?? ''));
      });
    },
    observe,
  };
}
