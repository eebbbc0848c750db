import type { Account } from '../ports/account.ts';

/** Where the credentials of one grant come from: an account itself, or its token exchanged for an audience. */
export interface Source {
  readonly account: Account;
  readonly audience: string | null;
}

/** Sources as objects that stay the same, so that work can be shared by them. */
export class Sources {
  readonly #known = new WeakMap<Account, Map<string | null, Source>>();

  /** By the account as it is configured now: who asks after a change must not get what the old one's work gave. */
  of(account: Account, audience: string | null): Source {
    const known = this.#known.get(account) ?? new Map<string | null, Source>();
    this.#known.set(account, known);
    const source = known.get(audience) ?? { account, audience };
    known.set(audience, source);
    return source;
  }
}
