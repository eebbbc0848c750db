import { type Refusal, refuse } from '../../../contract/refusal.ts';
import type { RefreshDeps } from './save-answer.ts';

/** Servers of one provider may differ by as much. */
const toleratedSeconds = 60;

/**
 * A renewal's id token that is older than the session's: a replay (OpenID Connect Core, 12.2). Issuer, audience and
 * subject have been checked. A later auth_time is no reason: some providers report another login of the user
 * meanwhile, and the session is still the same user's.
 */
export function earlierToken(
  { name, provider, log }: Pick<RefreshDeps, 'name' | 'provider' | 'log'>,
  renewed: Readonly<Record<string, unknown>>,
  before: Readonly<Record<string, unknown>>,
): Refusal | null {
  const [issuedAt, issuedBefore] = [renewed['iat'], before['iat']];
  const isEarlier =
    typeof issuedAt === 'number' &&
    typeof issuedBefore === 'number' &&
    issuedAt < issuedBefore - toleratedSeconds;
  if (!isEarlier) {
    return null;
  }
  log.warn('oidc.refresh.earlierToken', { account: name, host: provider.host });
  return refuse(
    'provider',
    'oidc.refresh.earlierToken',
    `${provider.host} renewed the login of ${name} with a token of an earlier time: that was dropped`,
    `lanyard login ${name}`,
  );
}
