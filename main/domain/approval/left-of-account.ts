/** What the vault has, by account: logins, and secrets by part. */
export interface HeldOfAccounts {
  sessions: Readonly<Record<string, object>>;
  secrets: Readonly<Record<string, object>>;
}

export interface LeftOfAccount {
  login: boolean;
  /** Parts: `token`, `clientSecret`. */
  secrets: string[];
}

/** What the vault has under this account's name: also where config.yaml has no such account any more. */
export function leftOf({ sessions, secrets }: HeldOfAccounts, account: string): LeftOfAccount {
  return {
    login: Object.hasOwn(sessions, account),
    secrets: Object.hasOwn(secrets, account) ? Object.keys(secrets[account] ?? {}) : [],
  };
}

/** It has anything. */
export function hasLeft(held: HeldOfAccounts, account: string): boolean {
  const { login, secrets } = leftOf(held, account);
  return login || secrets.length > 0;
}
