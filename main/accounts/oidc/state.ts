import type { OidcAccountConfig } from '../../contract/config.ts';
import type { AccountState } from '../../ports/account.ts';
import type { Vault } from '../../ports/vault.ts';
import { displayName } from './display-text.ts';
import { heldToken, loginNeeded, sessionOf } from './session.ts';

/** What `lanyard status` shows of an OIDC account. */
export function oidcState(of: {
  name: string;
  config: OidcAccountConfig;
  vault: Pick<Vault, 'state' | 'read'>;
  now: number;
}): AccountState {
  const { name, config, vault, now } = of;
  const nobody = { kind: 'oidc', subject: null, issuer: config.issuer, expiresAt: null } as const;
  const vaultState = vault.state();
  switch (vaultState.kind) {
    case 'locked':
    case 'broken':
      return {
        ...nobody,
        state: vaultState.kind === 'locked' ? 'locked' : 'invalid',
        problem: vaultState.reason,
      };
    case 'none':
      return { ...nobody, state: 'loginNeeded', problem: null };
    case 'open':
  }
  const content = vault.read();
  const session = sessionOf(content, name, config);
  if (!session) {
    const other = Object.hasOwn(content.sessions, name);
    const problem = other ? 'the login is from another issuer or client than the configured one' : null;
    return { ...nobody, state: 'loginNeeded', problem };
  }
  const needed = loginNeeded(name, session);
  const held = heldToken(session, now) !== null;
  const common = {
    kind: 'oidc',
    subject: displayName(session.claims, session.subject),
    issuer: session.issuer,
    expiresAt: session.token?.expiresAt ?? null,
  } as const;
  if (!needed) {
    return { ...common, state: 'ready', problem: null };
  }
  if (session.interrupted) {
    return { ...common, state: 'interrupted', problem: needed.message };
  }
  return held
    ? { ...common, state: 'ready', problem: `${needed.message}; log in again when the token ends` }
    : { ...common, state: 'loginNeeded', problem: needed.message };
}
