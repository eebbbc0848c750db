import type { AccountState } from '../../ports/account.ts';
import type { VaultState } from '../../ports/vault.ts';
import type { Provider } from './provider/provider.ts';

/** What is shown while the vault isn't open; null where it is. `withoutVault`: what is missing where there is none. */
export function unopenedState(
  issuer: string,
  vault: VaultState,
  withoutVault: 'loginNeeded' | 'secretMissing',
): AccountState | null {
  const nobody = { kind: 'oidc', subject: null, issuer, expiresAt: null } as const;
  switch (vault.kind) {
    case 'locked':
      return { ...nobody, state: 'locked', problem: vault.reason };
    case 'broken':
      return { ...nobody, state: 'invalid', problem: vault.reason };
    case 'none':
      return { ...nobody, state: withoutVault, problem: null };
    case 'open':
      return null;
  }
}

/** The part of a state that says how far the clock is off; nothing where it isn't. */
export function clockOff(provider: Pick<Provider, 'clockOffSeconds'>): Pick<AccountState, 'clockOffSeconds'> {
  const seconds = provider.clockOffSeconds();
  return seconds === null ? {} : { clockOffSeconds: seconds };
}
