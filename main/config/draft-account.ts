import { byGroup, groupOf } from '../contract/config/config.ts';
import { entriesOf, type LoadedEntries, loadedEntries } from '../domain/loaded-config.ts';
import type { AccountDrafts, ConfigEdit } from '../ports/config-store.ts';
import { checkConfigValue, type LoadOptions, loadedConfig } from './load.ts';

/** Checks one account as if it were the only entry of config.yaml. `account` is null where a finding is an error. */
export async function checkDraft(
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

/** Loads the entries that `edits` set as if config.yaml had nothing else. An entry with errors is left out. */
export async function loadStated(edits: readonly ConfigEdit[], options: LoadOptions): Promise<LoadedEntries> {
  const value = {
    version: 1,
    ...byGroup((kind) =>
      Object.fromEntries(
        edits.flatMap((each) => (each.kind === 'set' && each.what === kind ? [[each.name, each.value]] : [])),
      ),
    ),
  };
  const { config, authorities, findings } = await checkConfigValue(value, options);
  const faulty = new Set(
    findings
      // An account that isn’t among the edits may be in config.yaml.
      .filter(({ severity, path }) => severity === 'error' && path[2] !== 'account')
      .map(({ path }) => path.slice(0, 2).join('\n')),
  );
  const loaded = loadedConfig(config, authorities, options);
  return loadedEntries(
    (kind) =>
      new Map([...entriesOf(loaded, kind)].filter(([name]) => !faulty.has(`${groupOf(kind)}\n${name}`))),
  );
}
