import type { LoadedConfig } from '../domain/loaded-config.ts';
import type { Paths } from '../domain/paths.ts';
import type { UndoneEdit } from '../domain/undone-edit.ts';
import type { AccessLists } from '../ports/access-lists.ts';
import type { Directory, Gate } from '../ports/broker-core.ts';
import type { Clock } from '../ports/clock.ts';
import type { ConfigStore } from '../ports/config-store.ts';
import type { Keychain } from '../ports/keychain.ts';
import type { Vault, VaultState } from '../ports/vault.ts';
import { accountCheck } from './accounts/account-check.ts';
import { sharedAudiencesCheck } from './accounts/shared-audiences.ts';
import { brokerCheck } from './broker/broker-check.ts';
import { configCheck } from './broker/config-check.ts';
import { keychainCheck } from './broker/keychain-check.ts';
import { recordsCheck } from './broker/records-check.ts';
import { undoneCheck } from './broker/undone-check.ts';
import { vaultCheck } from './broker/vault-check.ts';
import type { Check } from './check.ts';
import { type ClusterCheckDeps, clusterCheck } from './clusters/cluster-check.ts';
import { homeCheck } from './home/home-check.ts';
import { installedCheck } from './home/installed-check.ts';
import { contextsCheck } from './inventories/contexts-check.ts';
import { inventoryCheck } from './inventories/inventory-check.ts';
import type { InventorySide } from './inventories/inventory-side.ts';
import { profilesCheck } from './inventories/profiles-check.ts';
import { type ProxySide, proxyCheck } from './proxy/proxy-check.ts';
import { registryCheck } from './registries/registry-check.ts';

/** What only the broker can check. */
export interface BrokerSide {
  version: string;
  pid: number;
  paths: Paths;
  /** Null where modes count. */
  access: AccessLists | null;
  clock: Pick<Clock, 'now'>;
  keychain: Pick<Keychain, 'get'>;
  vault: Pick<Vault, 'state'>;
  config: Pick<ConfigStore, 'file' | 'current' | 'problems'>;
  gate: Gate;
  /** Throws while the vault isn't open. */
  bindings: {
    changes(): readonly { what: string; name: string }[];
    isServed(what: 'inventory', name: string): boolean;
  };
  directory: Pick<Directory, 'account' | 'cluster' | 'registry'>;
  history: { problems(): readonly string[] };
  scraping: { problem(): string | null };
  inventories: InventorySide;
  requestProxy: ProxySide;
  /** Edits of Lanyard’s that other programs have undone. */
  undone(): Promise<readonly UndoneEdit[]>;
  clusters: Pick<ClusterCheckDeps, 'credential' | 'reach' | 'whoAmI'>;
}

/** All checks that run in the broker, in the order in which they are shown. */
export function brokerChecks(side: BrokerSide, helperVersion: string | undefined): Check[] {
  const { paths, config, vault, gate, directory } = side;
  const { accounts, clusters, registries, inventories } = config.current();
  const proxied = proxiedIn(config.current());
  const ofInventories = { ...side.inventories, gate, directory };
  return [
    brokerCheck({ version: side.version, pid: side.pid, helperVersion }),
    homeCheck(paths, side.access),
    installedCheck(paths),
    keychainCheck(side.keychain, () => waysOf(vault.state())),
    vaultCheck(() => vault.state()),
    configCheck({
      file: config.file,
      read: async () => ({ problems: config.problems(), config: config.current() }),
      held: () => (gate() ? null : side.bindings.changes()),
    }),
    recordsCheck({ history: side.history.problems(), metrics: side.scraping.problem() }),
    ...[...accounts.keys()].map((name) =>
      accountCheck(name, { gate, account: (each) => directory.account(each) }),
    ),
    sharedAudiencesCheck(() => config.current()),
    ...[...clusters.values()].map(({ name, origin }) =>
      clusterCheck(name, {
        ...side.clusters,
        isProfile: origin !== undefined,
        gate,
        account: (each) => directory.account(each),
        cluster: (each) => directory.cluster(each),
      }),
    ),
    ...(proxied.length > 0
      ? [
          proxyCheck(proxied, {
            ...side.requestProxy,
            platform: process.platform,
            uid: process.getuid?.() ?? null,
            gate,
            directory,
          }),
        ]
      : []),
    ...[...registries.values()].map((each) => registryCheck(each, { gate, directory })),
    undoneCheck('docker', 'registries', side.undone),
    undoneCheck('kubeconfig', 'kubeconfigs', side.undone),
    ...[...inventories.values()].flatMap((each) => [
      inventoryCheck(each, {
        ...ofInventories,
        isServed: (name) => side.bindings.isServed('inventory', name),
      }),
      profilesCheck(each.name, ofInventories),
    ]),
    ...(inventories.size > 0 ? [contextsCheck(config.current())] : []),
  ];
}

/** Clusters whose requests go through the request proxy. */
export function proxiedIn({ clusters }: Pick<LoadedConfig, 'clusters'>): string[] {
  return [...clusters.values()].flatMap(({ name, config }) => (config.proxy === undefined ? [] : [name]));
}

/** The vault’s unlock methods; null where they are unknown. */
function waysOf(state: VaultState) {
  return state.kind === 'open' ? state.slots : state.kind === 'locked' ? (state.ways ?? null) : null;
}
