import { type Refusal, refuse } from '../../contract/refusal.ts';
import { clockText } from '../../contract/ui/time-texts.ts';
import type { Credential } from '../../ports/account.ts';
import { type KeptFor, withoutExpiry } from '../plugins/without-expiry.ts';
import type { PluginAnswer } from './rules/read-answer.ts';

export interface KeepingRule extends KeptFor {
  name: string;
}

/**
 * The credential of an answer, kept as KEP-541 says: until its expirationTimestamp; without one for the life of the
 * clients that got it, or as long as the account says. One that has ended is none (KEP-541/valid-or-error).
 */
export function toCredential(
  answer: PluginAnswer,
  { name, now, cacheSeconds, clients }: KeepingRule,
): { ok: true; credential: Credential } | Refusal {
  const { token, certificate, issuedAt, expirationTimestamp, ownExpiry, proxy } = answer;
  const told = proxy === null ? {} : { proxyConfig: proxy };
  const kept = { token, certificate, ...told };
  if (expirationTimestamp !== null) {
    // A certificate that the server no longer takes is no use to anybody, whatever was promised of it
    // (KEP-541/certificates).
    const end =
      certificate && ownExpiry !== null ? Math.min(expirationTimestamp, ownExpiry) : expirationTimestamp;
    return end <= now
      ? ended(name, end, now)
      : { ok: true, credential: { ...kept, issuedAt: whenIssued(issuedAt, now), expiresAt: end } };
  }
  const made = withoutExpiry(answer, { now, cacheSeconds, clients });
  return made.ok
    ? { ok: true, credential: { ...made.credential, ...told } }
    : ended(name, made.expiredAt, now);
}

/** A token that says it was issued in the future, by a clock that is ahead, was issued now. */
function whenIssued(issuedAt: number | null, now: number): number {
  return issuedAt === null || issuedAt > now ? now : issuedAt;
}

function ended(name: string, end: number, now: number): Refusal {
  return refuse(
    'provider',
    'execPlugin.expired',
    `the credential that the plugin of ${name} gave had already expired, at ${clockText(end, now)}`,
    'is this machine’s clock right? else the plugin keeps an old answer: run its own login again',
  );
}
