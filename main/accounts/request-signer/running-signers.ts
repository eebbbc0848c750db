import { refuse } from '../../contract/refusal.ts';
import type { Account } from '../../ports/account.ts';
import type { RequestSigners } from '../../ports/request-signers.ts';

export interface RunningSignersDeps {
  account(name: string): { ok: true; account: Account } | { ok: false };
}

export function createRunningSigners(_: RunningSignersDeps): RequestSigners {
  return {
    sign: async (account) => refuse('internal', 'signer.none', `${account} can’t sign yet`),
    endAll: () => undefined,
  };
}
