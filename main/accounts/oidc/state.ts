import type { OidcAccountConfig } from '../../contract/config/accounts/oidc.ts';
import type { Refusal } from '../../contract/refusal.ts';
import type { AccountState } from '../../ports/account.ts';
import type { Vault } from '../../ports/vault.ts';
import { displayName } from './display-text.ts';
import type { Provider } from './provider/provider.ts';
import { loginNeeded, sessionOf, validToken } from './session.ts';
import { clockOff, unopenedState } from './unopened-state.ts';

/** What `lanyard status` shows of an OIDC account. */
export function oidcState(of: {
  name: string;
  config: OidcAccountConfig;
  vault: Pick<Vault, 'state' | 'read'>;
  now: number;
  clock: Pick<Provider, 'clockOffSeconds' | 'clockSentence'>;
  /** Why the client’s key, which is on a token, can’t sign; null: it can, or isn’t there. */
  keyFault(): Refusal | null;
}): AccountState {
  const { name, config, vault, now, clock, keyFault } = of;
  const unopened = unopenedState(config.issuer, vault.state(), 'loginNeeded');
  if (unopened) {
    return unopened;
  }
  const nobody = { kind: 'oidc', subject: null, issuer: config.issuer, expiresAt: null } as const;
  const content = vault.read();
  const session = sessionOf(content, name, config);
  if (!session) {
    const other = Object.hasOwn(content.sessions, name);
    const problem = other ? 'the login is from another issuer or client than the configured one' : null;
    // A login may just have failed by it.
    return { ...nobody, state: 'loginNeeded', problem, ...clockOff(clock) };
  }
  const needed = loginNeeded(name, session, config);
  const held = validToken(session, now) !== null;
  const common = {
    kind: 'oidc',
    subject: displayName(session.claims, session.subject),
    issuer: session.issuer,
    issuedAt: session.token?.issuedAt ?? null,
    expiresAt: session.token?.expiresAt ?? null,
    ...clockOff(clock),
  } as const;
  const problem = (text: string | null) =>
    [text, clock.clockSentence()].filter((part) => part !== null).join('; ') || null;
  const fault = needed ? null : keyFault();
  if (fault && !held) {
    const state = fault.reason === 'loginNeeded' ? 'loginNeeded' : 'failing';
    return { ...common, state, problem: problem(fault.message) };
  }
  if (!needed) {
    return { ...common, state: 'ready', problem: problem(fault?.message ?? null) };
  }
  if (session.interrupted) {
    return { ...common, state: 'interrupted', problem: problem(needed.message) };
  }
  return held
    ? {
        ...common,
        state: 'ready',
        byHand: true,
        problem: problem(`${needed.message}; log in again when the token expires`),
      }
    : { ...common, state: 'loginNeeded', problem: problem(needed.message) };
}
