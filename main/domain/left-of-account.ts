/** What the vault has, by account: logins, and secrets by part. */
export interface HeldOfAccounts {
  sessions: Readonly<Record<string, object>>;
  secrets: Readonly<Record<string, object>>;
}

/** The vault has a login or secrets under this account's name: also where config.yaml has no such account any more. */
export function hasLeft(held: HeldOfAccounts, account: string): boolean {
  return Object.hasOwn(held.sessions, account) || secretsLeft(held, account).length > 0;
}

/** The parts that the vault has under this account's name: `token`, `clientSecret`. */
export function secretsLeft({ secrets }: Pick<HeldOfAccounts, 'secrets'>, account: string): string[] {
  return Object.hasOwn(secrets, account) ? Object.keys(secrets[account] ?? {}) : [];
}
