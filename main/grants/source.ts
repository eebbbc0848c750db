import type { Account } from '../ports/account.ts';

/** Where the credentials of one grant come from: an account itself, or its token exchanged for an audience. */
export interface Source {
  readonly account: Account;
  readonly audience: string | null;
}

/** Tells the grants of one account apart: by audience, and by what else shaped them. */
export function grantKey({ account, audience }: Source): string {
  return keyOf(audience, account.shape?.key ?? null);
}

export function keyOf(audience: string | null, shape: string | null): string {
  return JSON.stringify([audience, shape]);
}

/** Caches sources as objects, so that work can be shared by identity. */
export class Sources {
  #known = new WeakMap<Account, { era: number; byAudience: Map<string | null, Source> }>();
  readonly #eras = new Map<string, number>();

  /** By the account as it is configured now: a request after a change must not get the result of the old one's work. */
  of(account: Account, audience: string | null): Source {
    const era = this.#eras.get(account.name) ?? 0;
    const last = this.#known.get(account);
    const known = last?.era === era ? last : { era, byAudience: new Map<string | null, Source>() };
    this.#known.set(account, known);
    const source = known.byAudience.get(audience) ?? { account, audience };
    known.byAudience.set(audience, source);
    return source;
  }

  /** From now on new objects are given: a request after a login or a logout joins no work from before it. */
  forget(accountName: string): void {
    this.#eras.set(accountName, (this.#eras.get(accountName) ?? 0) + 1);
  }

  forgetAll(): void {
    this.#known = new WeakMap();
  }
}
