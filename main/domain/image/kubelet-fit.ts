import type { RegistryConfig } from '../../contract/config/registry.ts';

/** An account, as it is known before it is asked. `userName`: of a login at a registry; null: it has none. */
export interface RegistryLogin {
  kind: string;
  userName: string | null;
}

/** Plugins and helpers say the user name in each answer. */
const ownUserName: readonly string[] = ['credentialProvider', 'credentialHelper'];

/** Whether what an account gives for a registry is an identity token, which docker takes, and no kubelet. */
export function givesIdentityToken(
  { kind, userName }: RegistryLogin,
  registry: Pick<RegistryConfig, 'userName'>,
): boolean {
  return kind === 'registry'
    ? userName === null
    : !ownUserName.includes(kind) && registry.userName === undefined;
}

export function identityTokenText(account: string): string {
  return `${account} has an identity token, which a kubelet can’t pass on: it takes a user name and a password`;
}
