import type { OidcAccountConfig } from '../../../contract/config/accounts/oidc.ts';
import type { Refusal } from '../../../contract/refusal.ts';
import type { HeldKeys } from '../../../ports/held-keys.ts';

/** What config.yaml says of a client whose keys stay on tokens. */
export type ClientKeysConfig = Pick<OidcAccountConfig, 'clientKeyAccount' | 'clientCertificateAccount'>;

/** The accounts that have the client’s keys, each once. */
export function keyAccounts({ clientKeyAccount, clientCertificateAccount }: ClientKeysConfig): string[] {
  const named = [clientKeyAccount, clientCertificateAccount].filter((name) => name !== undefined);
  return [...new Set(named)];
}

/** Why one of the client’s keys can’t sign, as far as that is known; null: nothing is. */
export function keyFault(config: ClientKeysConfig, heldKeys: Pick<HeldKeys, 'fault'>): Refusal | null {
  const faults = keyAccounts(config).map((name) => heldKeys.fault(name));
  return faults.find((fault) => fault !== null) ?? null;
}

/**
 * Opens the client’s keys for a login, which may ask for their PINs; `asked`: it did. Rejects with the signal’s reason.
 */
export async function openClientKeys(
  config: ClientKeysConfig,
  heldKeys: Pick<HeldKeys, 'logIn'>,
  prompter: Parameters<HeldKeys['logIn']>[1],
  signal: AbortSignal,
): Promise<{ ok: true; asked: boolean } | Refusal> {
  let asked = false;
  for (const name of keyAccounts(config)) {
    const opened = await heldKeys.logIn(name, prompter, signal);
    if (!opened.ok) {
      return opened;
    }
    asked ||= opened.asked;
  }
  return { ok: true, asked };
}
