import { type Refusal, refuse } from '../contract/refusal.ts';
import type { Account } from '../ports/account.ts';
import type { CachedGrants, GenerationReason } from './cached-grants.ts';
import type { Grant } from './grant.ts';
import type { Source } from './source.ts';

/** The current credential of a source, without asking anyone. `why`: the reason, where it is known. */
export async function currentGrant(
  cachedGrants: CachedGrants,
  source: Source,
  why?: GenerationReason,
): Promise<{ ok: true; grant: Grant } | Refusal> {
  const { account, audience } = source;
  const base = await account.current();
  if (base && !base.ok) {
    return base;
  }
  if (audience === null && account.keepsNothing) {
    const grant = cachedGrants.get(source);
    return grant ? { ok: true, grant } : nothingCached(account.name);
  }
  if (audience !== null) {
    // An exchanged token outlives the account's own; a logout removes both.
    const grant = cachedGrants.get(source);
    return grant
      ? { ok: true, grant }
      : refuse('loginNeeded', 'grant.none', `${account.name} holds no credential for ${audience}`);
  }
  return base
    ? { ok: true, grant: cachedGrants.keep(source, base.credential, why) }
    : nothingCached(account.name);
}

function nothingCached(account: string): Refusal {
  return refuse('loginNeeded', 'grant.none', `${account} holds no credential`);
}

/** A login, a logout, a change or a lock came in between: the renewal's result is not used. */
export function lostMeanwhile({ name, keepsNothing }: Pick<Account, 'name' | 'keepsNothing'>): Refusal {
  return keepsNothing
    ? refuse('notPermitted', 'grant.lost', `${name} was changed, logged out or locked meanwhile`, 'try again')
    : refuse('loginNeeded', 'grant.lost', `the login of ${name} changed meanwhile`, 'try again');
}
