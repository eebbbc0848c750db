/** The names that go with each account, in their order. */
export function namesByAccount(
  pairs: Iterable<readonly [account: string, name: string]>,
): ReadonlyMap<string, readonly string[]> {
  const byAccount = new Map<string, string[]>();
  for (const [account, name] of pairs) {
    const names = byAccount.get(account);
    if (names) {
      names.push(name);
    } else {
      byAccount.set(account, [name]);
    }
  }
  return byAccount;
}
