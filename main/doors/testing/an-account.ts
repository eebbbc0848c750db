import { Secret } from '../../base/secret.ts';
import { refuse } from '../../contract/refusal.ts';
import type { Account, Credential } from '../../ports/account.ts';

/** An account that is never asked for anything: its grants answer in its place. */
export function anAccount(name: string, kind: Account['kind'] = 'staticToken'): Account {
  return {
    name,
    kind,
    current: async () => null,
    renew: async () => refuse('loginNeeded', 'x', 'x'),
    state: async () => {
      throw new Error('not asked for');
    },
  };
}

/** A token that is good for ten minutes from `now`. */
export function aToken(text: string, now: number): Credential {
  return { token: new Secret(text), certificate: null, issuedAt: now, expiresAt: now + 600_000 };
}
