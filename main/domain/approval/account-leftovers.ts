/** What the vault has, by account: logins, and secrets by part. */
export interface StoredByAccount {
  sessions: Readonly<Record<string, object>>;
  secrets: Readonly<Record<string, object>>;
}

export interface AccountLeftovers {
  login: boolean;
  /** Parts: `token`, `clientSecret`. */
  secrets: string[];
}

/** What the vault has under this account's name, even if config.yaml no longer has the account. */
export function leftoversOf({ sessions, secrets }: StoredByAccount, account: string): AccountLeftovers {
  return {
    login: Object.hasOwn(sessions, account),
    secrets: Object.hasOwn(secrets, account) ? Object.keys(secrets[account] ?? {}) : [],
  };
}

/** Whether it has anything. */
export function hasLeftovers(held: StoredByAccount, account: string): boolean {
  const { login, secrets } = leftoversOf(held, account);
  return login || secrets.length > 0;
}
