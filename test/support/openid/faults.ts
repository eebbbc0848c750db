import { setTimeout as wait } from 'node:timers/promises';
import type { Context } from 'oidc-provider';

/** How an endpoint misbehaves. Where nothing else is said, the provider itself never sees the request. */
export type Fault =
  | { kind: 'none' }
  /** The connection is destroyed without an answer; with endpoint `all` before the TLS handshake. */
  | { kind: 'down' }
  /**
   * Waits before the request is handled (never, when the client has gone by then), or with `when: 'after'`
   * between handling it and answering.
   */
  | { kind: 'slow'; milliseconds: number; when?: 'before' | 'after' }
  /** As `slow`, until the test lets it go on. */
  | { kind: 'held'; until: Promise<unknown>; when: 'before' | 'after' }
  /** 200 with a page, as a captive portal does. */
  | { kind: 'html' }
  | { kind: 'status'; status: number; retryAfterSeconds?: number }
  /** An OAuth error, such as `slow_down`. */
  | { kind: 'oauthError'; error: string; description?: string; status?: number }
  /** Discovery names another issuer; tokens are signed in another issuer's name. The request is handled. */
  | { kind: 'wrongIssuer' }
  /** Tokens are signed with a key that is not published, under its own key id or a published one's. Handled. */
  | { kind: 'unknownKey'; sameKeyId?: boolean }
  /** The request is handled, half of the answer is sent, and the connection ends. */
  | { kind: 'truncated' }
  /** The request is handled, and the connection ends without an answer. */
  | { kind: 'resetAfterHandling' }
  /** A body of JSON that never ends. */
  | { kind: 'huge' };

export type Endpoint =
  | 'discovery'
  | 'jwks'
  | 'device_authorization'
  | 'token'
  | 'authorization'
  | 'userinfo'
  | 'revocation'
  | 'pages';

const endpoints: Record<string, Endpoint> = {
  '/.well-known/openid-configuration': 'discovery',
  '/.well-known/oauth-authorization-server': 'discovery',
  '/jwks': 'jwks',
  '/device/auth': 'device_authorization',
  '/token': 'token',
  '/auth': 'authorization',
  '/me': 'userinfo',
  '/token/revocation': 'revocation',
};

/** Which endpoint a path is; the person's pages are all the rest. */
export function endpointOf(path: string): Endpoint {
  return endpoints[path] ?? 'pages';
}

/** Which fault is in force where; changeable at any time. */
export class Faults {
  readonly #byEndpoint = new Map<Endpoint | 'all', Fault>();
  /** Draws a fault for a request that meets none that was set. */
  dice: ((endpoint: Endpoint) => Fault) | null = null;

  set(endpoint: Endpoint | 'all', fault: Fault): void {
    this.#byEndpoint.set(endpoint, fault);
  }

  clear(): void {
    this.#byEndpoint.clear();
  }

  /** The fault that a request meets. Draws by chance, so ask once for each. */
  meet(endpoint: Endpoint): Fault {
    const set = this.at(endpoint);
    return set.kind === 'none' && this.dice ? this.dice(endpoint) : set;
  }

  at(endpoint: Endpoint | 'all'): Fault {
    return this.#byEndpoint.get(endpoint) ?? this.#byEndpoint.get('all') ?? { kind: 'none' };
  }
}

/** Waits, or ends early when the client goes away. */
async function waitFor(ctx: Context, milliseconds: number): Promise<void> {
  const gone = new AbortController();
  const onClose = () => gone.abort();
  ctx.res.once('close', onClose);
  await wait(milliseconds, undefined, { signal: gone.signal }).catch(() => undefined);
  ctx.res.off('close', onClose);
}

async function sendEndlessly(ctx: Context): Promise<void> {
  ctx.respond = false;
  ctx.res.writeHead(200, { 'content-type': 'application/json' });
  ctx.res.write('{"padding":"');
  const chunk = 'x'.repeat(64 * 1024);
  while (!ctx.res.destroyed) {
    if (!ctx.res.write(chunk)) {
      await new Promise<void>((resolve) => {
        const goOn = () => {
          ctx.res.off('drain', goOn).off('close', goOn);
          resolve();
        };
        ctx.res.on('drain', goOn).on('close', goOn);
      });
    }
  }
}

/** Half of what would be sent, then the end of the connection. */
function sendHalf(ctx: Context): void {
  const text = JSON.stringify(ctx.body ?? {});
  ctx.respond = false;
  ctx.res.writeHead(ctx.status, { 'content-type': 'application/json', 'content-length': text.length });
  ctx.res.write(text.slice(0, text.length / 2), () => ctx.req.socket.destroy());
}

/** What happens in place of the provider, before it, or to its answer. `handle` is the provider. */
export async function withFault(ctx: Context, fault: Fault, handle: () => Promise<void>): Promise<void> {
  switch (fault.kind) {
    case 'down':
      ctx.respond = false;
      ctx.req.socket.destroy();
      return;
    case 'slow':
      if (fault.when !== 'after') {
        await waitFor(ctx, fault.milliseconds);
        if (ctx.res.destroyed) {
          ctx.respond = false;
          return;
        }
      }
      await handle();
      if (fault.when === 'after') {
        await waitFor(ctx, fault.milliseconds);
      }
      return;
    case 'held':
      if (fault.when === 'before') {
        await fault.until;
      }
      await handle();
      if (fault.when === 'after') {
        await fault.until;
      }
      return;
    case 'html':
      ctx.type = 'html';
      ctx.body = '<!DOCTYPE html><title>Welcome to the airport</title><p>Accept our terms to go on.';
      return;
    case 'status':
      ctx.status = fault.status;
      if (fault.retryAfterSeconds !== undefined) {
        ctx.set('Retry-After', String(fault.retryAfterSeconds));
      }
      ctx.body = 'not now';
      return;
    case 'oauthError':
      ctx.status = fault.status ?? 400;
      ctx.body = { error: fault.error, error_description: fault.description };
      return;
    case 'truncated':
      await handle();
      sendHalf(ctx);
      return;
    case 'resetAfterHandling':
      await handle();
      ctx.respond = false;
      ctx.req.socket.destroy();
      return;
    case 'huge':
      await sendEndlessly(ctx);
      return;
    case 'none':
    case 'wrongIssuer':
    case 'unknownKey':
      await handle();
      return;
  }
}
