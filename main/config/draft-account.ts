import type { LoadedConfig } from '../domain/loaded-config.ts';
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
export async function loadStated(
  edits: readonly ConfigEdit[],
  options: LoadOptions,
): Promise<Pick<LoadedConfig, 'accounts' | 'clusters'>> {
  const value = {
    version: 1,
    accounts: Object.fromEntries(
      edits.flatMap((each) => (each.kind === 'setAccount' ? [entryOf(each)] : [])),
    ),
    clusters: Object.fromEntries(
      edits.flatMap((each) => (each.kind === 'setCluster' ? [entryOf(each)] : [])),
    ),
  };
  const { config, authorities, findings } = await checkConfigValue(value, options);
  const faulty = new Set(
    findings
      // An account that isn’t among the edits may be in config.yaml.
      .filter(
        ({ severity, path }) => severity === 'error' && !(path[0] === 'clusters' && path[2] === 'account'),
      )
      .map(({ path }) => path.slice(0, 2).join('\n')),
  );
  const { accounts, clusters } = loadedConfig(config, authorities, options);
  const good = <Entry>(group: string, entries: ReadonlyMap<string, Entry>) =>
    new Map([...entries].filter(([name]) => !faulty.has(`${group}\n${name}`)));
  return { accounts: good('accounts', accounts), clusters: good('clusters', clusters) };
}

function entryOf({ name, value }: { name: string; value: unknown }): [string, unknown] {
  return [name, value];
}
