import type { Refusal } from '../contract/refusal.ts';

/** What a program of the person’s own is told of a request that it signs (docs/request-signers.md). */
export interface RequestToSign {
  cluster: string;
  method: string;
  /** With the query, as it is sent. */
  path: string;
  /** Of the `Host` header. */
  host: string;
  /** Names in lower case. Their values may be credentials, where the step says so: they go to the program alone. */
  headers: readonly (readonly [string, string])[];
  /** SHA-256 of the body, hex; null: the step doesn’t sign it. */
  bodySha256: string | null;
}

/** The programs that sign requests of proxied clusters: accounts of kind requestSigner. Each is kept running. */
export interface RequestSigners {
  /**
   * The headers that the program adds, each in place of all of that name: checked, so that none is HTTP’s own. Refused
   * where it isn’t approved, can’t be started, answers late or wrong. Never rejects.
   */
  sign(
    account: string,
    request: RequestToSign,
    signal: AbortSignal,
  ): Promise<{ ok: true; headers: readonly (readonly [string, string])[] } | Refusal>;
  /** Ends those that run: Lanyard is locked, or ends. */
  endAll(): void;
}
