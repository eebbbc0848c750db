import type { IncomingMessage } from 'node:http';
import type { TLSSocket } from 'node:tls';
import { createRemoteJWKSet, customFetch, type JWTVerifyGetKey, jwtVerify } from 'jose';
import { Agent, fetch } from 'undici';

export interface KubernetesUser {
  name: string;
  groups: readonly string[];
}

/** Whose tokens the server takes. */
export interface TrustedProvider {
  issuer: string;
  jwksUri: string;
  /** The client id that tokens are made for. */
  audience: string;
  /** The CA of the provider's own certificate; null for the system's. */
  caPem: string | null;
  /** The claim that names the user: `email` unless told otherwise; `sub` where there is none. */
  usernameClaim?: string;
}

export type Authenticated =
  | { ok: true; via: 'token' | 'certificate'; user: KubernetesUser }
  /** `why` is for the test that reads it; a real server says `Unauthorized` and no more. */
  | { ok: false; via: 'token' | 'certificate' | 'none'; why: string };

export interface Authenticator {
  authenticate(request: IncomingMessage): Promise<Authenticated>;
  dispose(): Promise<void>;
}

function list(value: unknown): string[] {
  return [value].flat().filter((item): item is string => typeof item === 'string');
}

function bySubject(request: IncomingMessage): KubernetesUser {
  const { subject } = (request.socket as TLSSocket).getPeerCertificate();
  const all: Record<string, unknown> = { ...subject };
  return { name: list(all['CN'])[0] ?? '', groups: [...list(all['O']), 'system:authenticated'] };
}

export function bearerToken(request: IncomingMessage): string | null {
  return /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1] ?? null;
}

/**
 * Checks a client certificate first, then a static token, then a JWT: as kube-apiserver does, without leeway
 * for expiry. `keys` are fetched once and again when a token names a key that isn't known.
 */
export function createAuthenticator(
  provider: TrustedProvider | null,
  staticTokens: ReadonlyMap<string, KubernetesUser>,
): Authenticator {
  const agent = new Agent(provider?.caPem ? { connect: { ca: provider.caPem } } : {});
  let keys: JWTVerifyGetKey | null = null;
  if (provider) {
    const fetchKeys = async (url: string) => {
      const response = await fetch(url, { dispatcher: agent });
      return new Response(await response.text(), { status: response.status });
    };
    keys = createRemoteJWKSet(new URL(provider.jwksUri), { cooldownDuration: 0, [customFetch]: fetchKeys });
  }

  const byJwt = async (token: string): Promise<Authenticated> => {
    if (!provider || !keys) {
      return { ok: false, via: 'token', why: 'unknown token' };
    }
    try {
      const { payload } = await jwtVerify(token, keys, {
        issuer: provider.issuer,
        audience: provider.audience,
        requiredClaims: ['exp', 'sub'],
        clockTolerance: 0,
      });
      const name = list(payload[provider.usernameClaim ?? 'email'])[0] ?? payload.sub ?? '';
      const user = { name, groups: [...list(payload['groups']), 'system:authenticated'] };
      return { ok: true, via: 'token', user };
    } catch (error) {
      return { ok: false, via: 'token', why: error instanceof Error ? error.message : 'unreadable' };
    }
  };

  return {
    authenticate: async (request) => {
      const socket = request.socket as TLSSocket;
      if (socket.authorized) {
        return { ok: true, via: 'certificate', user: bySubject(request) };
      }
      const token = bearerToken(request);
      if (token === null) {
        const sent = Object.keys(socket.getPeerCertificate()).length > 0;
        return sent
          ? { ok: false, via: 'certificate', why: String(socket.authorizationError) }
          : { ok: false, via: 'none', why: 'no credential' };
      }
      const known = staticTokens.get(token);
      return known ? { ok: true, via: 'token', user: known } : await byJwt(token);
    },
    dispose: () => agent.destroy(),
  };
}
