import { refuse } from '../../../contract/refusal.ts';
import type { Credential, Obtained } from '../../../ports/account.ts';
import type { Session } from '../../../ports/vault.ts';
import { sessionOf } from '../session.ts';
import { type ExchangeDeps, exchangeToken, type Presented } from './exchange.ts';
import type { RefreshDeps } from './save-answer.ts';

export interface ExchangeSessionDeps extends ExchangeDeps {
  config: RefreshDeps['config'];
  /** Renews the session. */
  renew(signal: AbortSignal): Promise<Obtained>;
}

/**
 * A user's session exchanged for `audience`: by its access token, which is what providers exchange (Keycloak takes
 * nothing else), renewed first where it has expired; by `subject`, the account's id token, where there is none.
 */
export async function exchangeSession(
  deps: ExchangeSessionDeps,
  subject: Credential,
  audience: string,
  signal: AbortSignal,
): Promise<Obtained> {
  const { name, kind } = deps;
  const { token } = subject;
  if (!token) {
    return refuse('internal', 'oidc.exchange.noToken', `${name} holds no token that could be exchanged`);
  }
  const presented: Presented =
    kind === 'access'
      ? { token, type: 'access_token' }
      : ((await accessToken(deps, signal)) ?? { token, type: 'id_token' });
  return exchangeToken(deps, presented, audience, signal);
}

async function accessToken(deps: ExchangeSessionDeps, signal: AbortSignal): Promise<Presented | null> {
  const { name, config, vault, clock } = deps;
  const read = () => sessionOf(vault.read(), name, config);
  const session = read();
  const held = live(session, clock.now());
  if (held || !session?.refreshToken) {
    return held;
  }
  const renewed = await deps.renew(signal);
  return renewed.ok ? live(read(), clock.now()) : null;
}

function live(session: Session | null, now: number): Presented | null {
  const access = session?.accessToken;
  return access && (access.expiresAt === null || access.expiresAt > now)
    ? { token: access.value, type: 'access_token' }
    : null;
}
