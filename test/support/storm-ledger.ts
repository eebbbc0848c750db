import { fingerprint, type RefreshRecord } from './openid-provider.ts';

/**
 * Follows a session's refresh tokens over many brokers that were killed, and tells where one was lost or used
 * twice. `refreshes` is the provider's own record, and grows meanwhile. An answer that the provider never sent (a
 * reset, a stall longer than the client waits) may be asked for again with the old token, without a new start.
 */
export class RotationLedger {
  readonly #refreshes: readonly RefreshRecord[];
  /** How many refreshes there were when a broker started, and when a person logged in. */
  readonly #starts = new Set<number>();
  readonly #logins = new Set<number>([0]);
  /** Refreshes whose answer was on disk: by the broker's log, or since a helper had its token. */
  readonly #kept = new Set<number>();
  #lastStart = 0;

  constructor(refreshes: readonly RefreshRecord[]) {
    this.#refreshes = refreshes;
  }

  brokerStarted(): void {
    this.#lastStart = this.#refreshes.length;
    this.#starts.add(this.#lastStart);
  }

  loggedIn(): void {
    this.#logins.add(this.#refreshes.length);
  }

  /** A helper printed this token. */
  handedOut(token: string): void {
    const index = this.#refreshes.findLastIndex((record) => record.idToken === fingerprint(token));
    if (index >= 0) {
      this.#kept.add(index);
    }
  }

  /** A broker has ended; its log says which answers it had written. */
  brokerEnded(log: string): void {
    const written = log.split('\n').filter((line) => line.includes('"oidc.refreshed"')).length;
    this.#refreshes
      .map((record, index) => ({ ...record, index }))
      .filter(({ index, status }) => index >= this.#lastStart && status === 200)
      .slice(0, written)
      .forEach(({ index }) => {
        this.#kept.add(index);
      });
  }

  /** What went wrong so far, in words; empty where each token was used as it should be. */
  problems(): string[] {
    return this.#refreshes.flatMap((record, index) => {
      const problem = this.#problem(record, index);
      return problem === null ? [] : [`refresh ${index} (${record.status}): ${problem}`];
    });
  }

  #problem(record: RefreshRecord, index: number): string | null {
    const before = this.#refreshes[index - 1];
    const seen = this.#refreshes.slice(0, index).some(({ presented }) => presented === record.presented);
    if (!before || this.#logins.has(index)) {
      return seen ? 'a token of an earlier login' : refused(record);
    }
    if (before.status !== 200) {
      return 'a request though the login was interrupted';
    }
    if (record.presented === before.issued) {
      return refused(record);
    }
    if (record.presented !== before.presented) {
      return 'a token that is older still';
    }
    if (!this.#starts.has(index) && before.sentAt !== null) {
      return 'an old token again without a new start';
    }
    if (this.#kept.has(index - 1)) {
      return 'an old token though the answer with the new one was on disk';
    }
    return record.status === 200 ? 'the provider took an old token' : null;
  }
}

function refused(record: RefreshRecord): string | null {
  return record.status === 200 ? null : `a token that was never used was refused: ${record.error}`;
}
