import { createHash } from 'node:crypto';
import type { Context } from 'oidc-provider';
import type { Endpoint } from './faults.ts';

/** The first 16 hex digits of a token's SHA-256: tells tokens apart without showing one. */
export function fingerprint(token: string): string {
  return createHash('sha256').update(token).digest('hex').slice(0, 16);
}

export type GrantKind =
  | 'device_code'
  | 'refresh_token'
  | 'authorization_code'
  | 'client_credentials'
  | 'other';

/** One use of a refresh token that reached the provider. Times are milliseconds since 1970. */
export interface RefreshRecord {
  receivedAt: number;
  /** Fingerprint of the refresh token that was presented. */
  presented: string;
  /** Fingerprint of the new refresh token; null where there was none. */
  issued: string | null;
  /** Fingerprint of the new id token; null where there was none. */
  idToken: string | null;
  status: number;
  /** OAuth's error; null where it went well. */
  error: string | null;
  /** When the last byte was handed to the network; null where it never was. */
  sentAt: number | null;
}

export interface ProviderCounts {
  /** All that arrived, faults included. */
  requests: Record<Endpoint, number>;
  /** What the provider handled at its token endpoint, by grant; `device_code` counts polls. */
  tokenRequests: Record<GrantKind, number>;
}

/** A request as it was sent. */
export interface SeenRequest {
  headers: Readonly<Record<string, string | string[] | undefined>>;
  form: Readonly<Record<string, string | string[] | undefined>>;
}

const deviceGrant = 'urn:ietf:params:oauth:grant-type:device_code';

function grantKind(grantType: string | undefined): GrantKind {
  switch (grantType) {
    case deviceGrant:
      return 'device_code';
    case 'refresh_token':
    case 'authorization_code':
    case 'client_credentials':
      return grantType;
    default:
      return 'other';
  }
}

function field(body: unknown, name: string): string | null {
  const value =
    typeof body === 'object' && body !== null ? (body as Record<string, unknown>)[name] : undefined;
  return typeof value === 'string' ? value : null;
}

/** Counts what arrives and keeps a record of each refresh. */
export class ProviderRecords {
  readonly counts: ProviderCounts = {
    requests: {
      discovery: 0,
      jwks: 0,
      device_authorization: 0,
      token: 0,
      authorization: 0,
      userinfo: 0,
      revocation: 0,
      pages: 0,
    },
    tokenRequests: {
      device_code: 0,
      refresh_token: 0,
      authorization_code: 0,
      client_credentials: 0,
      other: 0,
    },
  };
  readonly refreshes: RefreshRecord[] = [];
  readonly issued = new Set<string>();

  readonly last = new Map<Endpoint, SeenRequest>();

  /** Call it when the provider has handled a request. */
  handled(endpoint: Endpoint, ctx: Context): void {
    this.last.set(endpoint, { headers: ctx.req.headers, form: { ...ctx.oidc?.body } });
  }

  arrived(endpoint: Endpoint): void {
    this.counts.requests[endpoint] += 1;
  }

  /** Call it with each answer of the token and the device authorization endpoint. */
  gaveOut(body: unknown): void {
    for (const name of ['id_token', 'access_token', 'refresh_token', 'device_code']) {
      const value = field(body, name);
      if (value !== null) {
        this.issued.add(value);
      }
    }
  }

  /** Call it when the provider has handled a token request and its answer is about to be sent. */
  handledToken(ctx: Context, receivedAt: number): void {
    const kind = grantKind(ctx.oidc?.params?.['grant_type']);
    this.counts.tokenRequests[kind] += 1;
    if (kind !== 'refresh_token') {
      return;
    }
    const [issued, idToken] = [field(ctx.body, 'refresh_token'), field(ctx.body, 'id_token')];
    const record: RefreshRecord = {
      receivedAt,
      presented: fingerprint(ctx.oidc?.params?.['refresh_token'] ?? ''),
      issued: issued === null ? null : fingerprint(issued),
      idToken: idToken === null ? null : fingerprint(idToken),
      status: ctx.status,
      error: field(ctx.body, 'error'),
      sentAt: null,
    };
    this.refreshes.push(record);
    ctx.res.once('finish', () => {
      record.sentAt = Date.now();
    });
  }
}
