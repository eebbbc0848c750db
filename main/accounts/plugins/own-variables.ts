import type { Secret } from '../../base/secret.ts';
import type { ExecPluginConfig } from '../../contract/config/accounts/exec-plugin.ts';
import { type Refusal, refuse } from '../../contract/refusal.ts';
import type { LoadedAccount } from '../../domain/loaded-config.ts';
import { adviceText, secretAdvice } from '../../domain/text/advice.ts';
import type { Vault } from '../../ports/vault.ts';

/** A plugin’s `env`, and where the values are that config.yaml doesn’t have. */
export interface OwnVariables {
  account: LoadedAccount;
  env: ExecPluginConfig['env'];
  vault: Pick<Vault, 'read'>;
}

/** The account's `env`, with those values that are in the vault. Throws BrokerError (reason locked). */
export function ownVariables(own: OwnVariables): { ok: true; variables: Record<string, string> } | Refusal {
  const missing = missingVariable(own);
  if (missing !== null) {
    const { name, config } = own.account;
    return refuse(
      'notFound',
      'execPlugin.secretMissing',
      missing.problem,
      adviceText(secretAdvice(name, config, missing.part)),
    );
  }
  const values = own.env.map(({ name, value }) => [name, value ?? keptValue(own, name)?.reveal()]);
  return { ok: true, variables: Object.fromEntries(values) };
}

/** The first variable of the account whose value should be in the vault, and isn't; null: all are there. */
export function missingVariable(own: OwnVariables): { part: string; problem: string } | null {
  const missing = own.env.find(
    ({ name, value }) => value === undefined && keptValue(own, name) === undefined,
  );
  return missing
    ? {
        part: `env.${missing.name}`,
        problem: `the plugin of ${own.account.name} needs the variable ${missing.name}, whose value is not in the vault`,
      }
    : null;
}

function keptValue({ account, vault }: OwnVariables, variable: string): Secret | undefined {
  const { secrets } = vault.read();
  return Object.hasOwn(secrets, account.name) ? secrets[account.name]?.[`env.${variable}`] : undefined;
}
