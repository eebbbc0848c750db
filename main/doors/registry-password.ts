import { Secret } from '../base/secret.ts';
import { identityTokenUser } from '../contract/identity-token.ts';
import { type Refusal, refuse } from '../contract/refusal.ts';
import { identityTokenText } from '../domain/image/kubelet-fit.ts';
import type { RegistryTarget } from '../domain/target/registry-target.ts';
import type { Credential } from '../ports/account.ts';

/** A user name with its password, as a registry takes them (RFC 7617). */
export interface RegistryPassword {
  userName: string;
  password: Secret;
}

/** Who gets it: a kubelet can’t pass on an identity token. */
export type RegistryClient = 'kubelet' | 'docker';

/**
 * An account’s credential as a registry takes it: its password, or its token as the password of the registry’s
 * `userName`. Null: a provider plugin has none for the image.
 */
export function passwordOf(
  { password, token }: Pick<Credential, 'password' | 'token'>,
  { registry, account }: RegistryTarget,
  client: RegistryClient,
): { ok: true; credential: RegistryPassword | null } | Refusal {
  if (password === null) {
    return { ok: true, credential: null };
  }
  const { name, config } = registry;
  const found =
    password ??
    (token && { userName: config.userName ?? identityTokenUser, password: new Secret(token.reveal()) });
  if (!found) {
    return refuse(
      'provider',
      'registry.certificate',
      `${account} has a certificate, and registries take a user name with a password`,
      `give the registry ${name} another account`,
    );
  }
  if (client === 'kubelet' && found.userName === identityTokenUser) {
    return refuse(
      'notPermitted',
      'registry.identityToken',
      identityTokenText(account),
      password
        ? `use a user name with an access token: lanyard help account add`
        : `set userName for the registry ${name} in config.yaml`,
    );
  }
  return { ok: true, credential: found };
}
