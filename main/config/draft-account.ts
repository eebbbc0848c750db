import type { AccountDrafts } from '../ports/config-store.ts';
import { checkConfigValue, type LoadOptions, loadedConfig } from './load.ts';

/** One account by itself, as if it stood in config.yaml. */
export async function lookAtDraft(
  name: string,
  value: unknown,
  options: LoadOptions,
): ReturnType<AccountDrafts['look']> {
  const { config, findings, authorities } = await checkConfigValue(
    { version: 1, accounts: { [name]: value } },
    options,
  );
  const found = findings.map(({ severity, path, text }) => ({ severity, path: path.slice(2), text }));
  const isGood = found.every(({ severity }) => severity === 'warning');
  const account = isGood ? loadedConfig(config, authorities, options).accounts.get(name) : undefined;
  return { account: account ?? null, findings: found };
}
