import { byGroup, groupOf } from '../contract/config/config.ts';
import { entriesOf, type LoadedEntries, loadedEntries } from '../domain/loaded-config.ts';
import type { AccountDrafts, ConfigEdit } from '../ports/config-store.ts';
import { isMapping } from './is-mapping.ts';
import { checkConfigValue, type LoadOptions, loadedConfig } from './load.ts';

/**
 * Checks one account as if it were the only entry of config.yaml, but for its hub and what that depends on. `account` is
 * null where a finding is an error. `current`: config.yaml’s other entries.
 */
export async function checkDraft(
  name: string,
  value: unknown,
  options: LoadOptions,
  current: Pick<LoadedEntries, 'accounts' | 'clusters'>,
): ReturnType<AccountDrafts['look']> {
  const { accounts, clusters } = hubsOf(value, current);
  const { config, findings, authorities } = await checkConfigValue(
    { version: 1, accounts: { ...accounts, [name]: value }, clusters },
    options,
  );
  const own = findings.filter(({ path }) => path[0] === 'accounts' && path[1] === name);
  const found = own.map(({ severity, path, text }) => ({ severity, path: path.slice(2), text }));
  const isGood = found.every(({ severity }) => severity === 'warning');
  const account = isGood ? loadedConfig(config, authorities, options).accounts.get(name) : undefined;
  return { account: account ?? null, findings: found };
}

/** The hub of a secret reader, that one’s account, and so on where that reads Secrets, too: what decides whether it loops. */
function hubsOf(value: unknown, current: Pick<LoadedEntries, 'accounts' | 'clusters'>) {
  const accounts: Record<string, unknown> = {};
  const clusters: Record<string, unknown> = {};
  for (let hub = hubIn(value); hub !== null && !Object.hasOwn(clusters, hub); ) {
    const cluster = current.clusters.get(hub);
    if (!cluster || cluster.origin !== undefined) {
      break;
    }
    const { server, account, approval } = cluster.config;
    clusters[hub] = { server, account, approval };
    const its = current.accounts.get(account)?.config;
    accounts[account] = its;
    hub = hubIn(its);
  }
  return { accounts, clusters };
}

function hubIn(account: unknown): string | null {
  const reader = isMapping(account) ? (account['secretReader'] ?? account['kubeconfigSecretReader']) : null;
  const hub = isMapping(reader) ? reader['cluster'] : null;
  return typeof hub === 'string' ? hub : null;
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
      // What an entry names may be in config.yaml, though it isn’t among the edits.
      .filter(({ severity, isMissing }) => severity === 'error' && !isMissing)
      .map(({ path }) => path.slice(0, 2).join('\n')),
  );
  const loaded = loadedConfig(config, authorities, options);
  return loadedEntries(
    (kind) =>
      new Map([...entriesOf(loaded, kind)].filter(([name]) => !faulty.has(`${groupOf(kind)}\n${name}`))),
  );
}
