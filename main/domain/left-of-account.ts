/** The vault has a login or secrets under this account's name: also where config.yaml has no such account any more. */
export function hasLeft(
  { sessions, secrets }: { sessions: object; secrets: object },
  account: string,
): boolean {
  return Object.hasOwn(sessions, account) || Object.hasOwn(secrets, account);
}
