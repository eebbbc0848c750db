import { createPrivateKey, type JsonWebKey, randomUUID } from 'node:crypto';
import { decodeJwt, SignJWT } from 'jose';
import type { Context, Provider } from 'oidc-provider';
import type { OpenIdStore } from './store.ts';

/** RFC 8693, section 2.1. */
export const tokenExchangeGrant = 'urn:ietf:params:oauth:grant-type:token-exchange';

const parameters = [
  'audience',
  'resource',
  'scope',
  'subject_token',
  'subject_token_type',
  'requested_token_type',
] as const;

/** One exchange that the provider handled. */
export interface ExchangeRecord {
  audience: string | null;
  subjectTokenType: string | null;
  requestedTokenType: string | null;
  /** Whose token was presented; null where it was none of this provider's. */
  subject: string | null;
}

/** oidc-provider has no token exchange: this is one for the tests, with what they set and read of it. */
export class TokenExchange {
  /** What is exchanged for; any other audience is `invalid_target`. */
  readonly audiences: ReadonlySet<string>;
  readonly records: ExchangeRecord[] = [];
  /** Put over the answer's fields; null takes one out. */
  answer: Readonly<Record<string, unknown>> = {};
  /** Put over the new token's claims; undefined takes one out. */
  claims: Readonly<Record<string, unknown>> = {};
  /** Tokens without a shape that a client could read. */
  opaque = false;

  constructor(audiences: Iterable<string>) {
    this.audiences = new Set(audiences);
  }

  /** Makes `provider` take the grant. */
  register(
    provider: Provider,
    at: { issuer: string; signing: JsonWebKey; algorithm: string; store: OpenIdStore; seconds: () => number },
  ): void {
    const key = createPrivateKey({ key: at.signing, format: 'jwk' });
    provider.registerGrantType(
      tokenExchangeGrant,
      async (ctx) => {
        const asked = ctx.oidc?.params ?? {};
        const subject = subjectOf(at.store, asked['subject_token'], asked['subject_token_type']);
        const audience = asked['audience'] ?? null;
        this.records.push({
          audience,
          subjectTokenType: asked['subject_token_type'] ?? null,
          requestedTokenType: asked['requested_token_type'] ?? null,
          subject,
        });
        if (subject === null || audience === null) {
          return fail(ctx, 'invalid_request', 'subject token and audience are needed');
        }
        if (!this.audiences.has(audience)) {
          return fail(ctx, 'invalid_target', 'no such audience');
        }
        const now = Math.floor(Date.now() / 1000);
        const jwt = new SignJWT({
          iss: at.issuer,
          sub: subject,
          aud: audience,
          jti: randomUUID(),
          iat: now,
          exp: now + at.seconds(),
          ...this.claims,
        }).setProtectedHeader({
          alg: at.algorithm,
          ...(at.signing['kid'] ? { kid: String(at.signing['kid']) } : {}),
        });
        const all = {
          access_token: this.opaque ? randomUUID() : await jwt.sign(key),
          issued_token_type: asked['requested_token_type'] ?? 'urn:ietf:params:oauth:token-type:access_token',
          token_type: 'Bearer',
          expires_in: at.seconds(),
          ...this.answer,
        };
        ctx.body = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== null));
      },
      [...parameters],
    );
  }
}

function fail(ctx: Context, error: string, description: string): void {
  ctx.status = 400;
  ctx.body = { error, error_description: description };
}

/** Whose token it is. Id tokens and JWT access tokens aren't kept by the provider; the tests trust their own claims. */
function subjectOf(store: OpenIdStore, token: string | undefined, type: string | undefined): string | null {
  if (type === 'urn:ietf:params:oauth:token-type:id_token') {
    return decodeJwt(token ?? '').sub ?? null;
  }
  let found: string | null = null;
  for (const model of ['AccessToken', 'ClientCredentials']) {
    store.each(model, (payload) => {
      if (payload.jti === token || payload['jwt'] === token) {
        found = payload.accountId ?? String(payload['clientId']);
      }
    });
  }
  return found ?? subjectIn(token);
}

function subjectIn(token: string | undefined): string | null {
  try {
    return decodeJwt(token ?? '').sub ?? null;
  } catch {
    return null;
  }
}
