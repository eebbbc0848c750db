import { type Refusal, refuse } from '../../contract/refusal.ts';
import type { RefreshDeps } from './save-answer.ts';

/** Servers of one provider may differ by as much. */
const toleratedSeconds = 60;

/**
 * What in a renewal's id token shows that it is of another login than the session's, or an older one played again
 * (OpenID Connect Core, 12.2): another auth_time, an earlier iat. Issuer, audience and subject have been looked at.
 */
export function otherLogin(
  { name, provider, log }: Pick<RefreshDeps, 'name' | 'provider' | 'log'>,
  renewed: Readonly<Record<string, unknown>>,
  before: Readonly<Record<string, unknown>>,
): Refusal | null {
  const [authTime, authTimeBefore] = [renewed['auth_time'], before['auth_time']];
  const [issuedAt, issuedBefore] = [renewed['iat'], before['iat']];
  const isOther =
    typeof authTime === 'number' && typeof authTimeBefore === 'number' && authTime !== authTimeBefore;
  const isOlder =
    typeof issuedAt === 'number' &&
    typeof issuedBefore === 'number' &&
    issuedAt < issuedBefore - toleratedSeconds;
  if (!isOther && !isOlder) {
    return null;
  }
  log.warn('oidc.refresh.otherLogin', { account: name, host: provider.host, isOther, isOlder });
  return refuse(
    'provider',
    'oidc.refresh.otherLogin',
    `${provider.host} renewed the login of ${name} with a token of ${isOther ? 'another login' : 'an earlier time'}: that was dropped`,
    `lanyard login ${name}`,
  );
}
