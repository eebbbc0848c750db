import type { Refusal } from '../contract/refusal.ts';
import type { AwsKeys } from '../domain/credential/aws-keys.ts';

/** The AWS keys of accounts, for what is made of them. Never asks the user. */
export interface AwsKeySource {
  /** Null: the account’s keys can be used now; or why not: unknown, pending approval, locked, of another kind. */
  fault(account: string): Refusal | null;
  /**
   * The account’s keys as its grant has them, renewed where that is due. `asker`: the account that they are for. `rejected`: AWS
   * refused those that were given last; others are obtained. Times are in milliseconds since 1970; null: no end is known.
   */
  keys(
    account: string,
    asked: { asker: string; rejected: boolean },
    signal: AbortSignal,
  ): Promise<{ ok: true; keys: AwsKeys; expiresAt: number | null } | Refusal>;
}
