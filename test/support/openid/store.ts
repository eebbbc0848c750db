import type { ReusePolicy } from './profile.ts';

/** What oidc-provider keeps of a token, a grant, a code or a browser's session. */
export interface StoredPayload {
  accountId?: string;
  grantId?: string;
  jti?: string;
  uid?: string;
  userCode?: string;
  /** Seconds since 1970. */
  exp?: number;
  consumed?: number;
  [field: string]: unknown;
}

/**
 * One provider's state in memory, in place of oidc-provider's own store: that one is made for one provider,
 * while keys are rotated here by making a new provider over the same state. Entries are kept after their
 * end, so that the provider can tell "expired" from "unknown".
 */
export class OpenIdStore {
  readonly #entries = new Map<string, StoredPayload>();
  /** What becomes of a used refresh token; oidc-provider's own way is to end the login. May be changed. */
  reuse: ReusePolicy = { graceSeconds: 0, after: 'family' };

  /** The `adapter` of oidc-provider's configuration. */
  readonly adapter = (model: string) => ({
    upsert: async (id: string, payload: StoredPayload) => {
      this.#entries.set(`${model}:${id}`, payload);
    },
    find: async (id: string) => this.#asUsed(model, this.#entries.get(`${model}:${id}`)),
    findByUid: async (uid: string) => this.#first(model, (payload) => payload.uid === uid),
    findByUserCode: async (code: string) => this.#first(model, (payload) => payload.userCode === code),
    consume: async (id: string) => {
      const payload = this.#entries.get(`${model}:${id}`);
      if (payload) {
        payload.consumed ??= Math.floor(Date.now() / 1000);
      }
    },
    destroy: async (id: string) => {
      this.#entries.delete(`${model}:${id}`);
    },
    revokeByGrantId: async (grantId: string) => {
      this.remove((_, payload) => payload.grantId === grantId);
    },
  });

  /** Calls `visit` with each entry of a model, such as `RefreshToken`. */
  each(model: string, visit: (payload: StoredPayload) => void): void {
    for (const [key, payload] of this.#entries) {
      if (key.startsWith(`${model}:`)) {
        visit(payload);
      }
    }
  }

  /** Removes entries; hands back how many. */
  remove(matches: (model: string, payload: StoredPayload) => boolean): number {
    let removed = 0;
    for (const [key, payload] of this.#entries) {
      if (matches(key.slice(0, key.indexOf(':')), payload)) {
        this.#entries.delete(key);
        removed += 1;
      }
    }
    return removed;
  }

  #asUsed(model: string, payload: StoredPayload | undefined): StoredPayload | undefined {
    if (model !== 'RefreshToken' || payload?.consumed === undefined) {
      return payload;
    }
    const { graceSeconds, after } = this.reuse;
    if (after === 'accepted' || Date.now() / 1000 < payload.consumed + graceSeconds) {
      const { consumed: _, ...unused } = payload;
      return unused;
    }
    return after === 'refused' ? undefined : payload;
  }

  #first(model: string, matches: (payload: StoredPayload) => boolean): StoredPayload | undefined {
    for (const [key, payload] of this.#entries) {
      if (key.startsWith(`${model}:`) && matches(payload)) {
        return payload;
      }
    }
    return undefined;
  }
}
