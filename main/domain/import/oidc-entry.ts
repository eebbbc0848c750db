import { Secret } from '../../base/secret.ts';
import { oidcAccount } from '../../contract/config/accounts/oidc.ts';
import { reservedParamFault } from '../login/login-rules.ts';
import { type AccountSources, left, type MadeAccount } from './made-account.ts';
import { type AuthoritySaid, providerAuthority } from './provider-authority.ts';

/** An OpenID provider's client as a kubeconfig describes it. */
export interface OidcSaid {
  issuer: string | null;
  clientId: string | null;
  clientSecret: string | null;
  authority: AuthoritySaid;
  /** More keys of the account for config.yaml; undefined ones are left out. */
  more: Readonly<Record<string, unknown>>;
  /** See `MadeAccount`. */
  apart: Readonly<Record<string, string>>;
  notes: readonly string[];
}

/** An oidc account, checked by config.yaml's own rules. */
export function oidcEntry(said: OidcSaid, sources: AccountSources): MadeAccount {
  const { issuer, clientId, clientSecret, more } = said;
  if (issuer === null || clientId === null) {
    return left(`it names no ${issuer === null ? 'issuer' : 'client id'} of its provider`);
  }
  const authority = providerAuthority(said.authority, sources);
  if (!authority.ok) {
    return authority;
  }
  const given = Object.entries(more).filter(([, value]) => value !== undefined);
  const oidc = { issuer, clientId, ...authority.value, ...Object.fromEntries(given) };
  const checked = oidcAccount.safeParse(oidc);
  if (!checked.success) {
    const [issue] = checked.error.issues;
    return left(
      `its ${issue?.path[0]?.toString() ?? 'provider'} can’t stand in config.yaml: ${issue?.message}`,
    );
  }
  for (const name of Object.keys(checked.data.extraParams)) {
    const fault = reservedParamFault(name);
    if (fault !== null) {
      return left(`its parameter ${name} ${fault}`);
    }
  }
  return {
    ok: true,
    value: { oidc },
    secrets: clientSecret === null ? {} : { clientSecret: new Secret(clientSecret) },
    authorityPem: authority.pem,
    needsLogin: checked.data.flow !== 'clientCredentials',
    ...(Object.keys(said.apart).length > 0 && { apart: said.apart }),
    notes: [...said.notes, ...authority.notes],
  };
}

/** Google has a parameter instead of the scope offline_access, and rejects the scope. */
export function isGoogle(issuer: string | null): boolean {
  return issuer === 'https://accounts.google.com';
}
