import { type Disposable, Disposables } from '../base/disposables.ts';
import { createListeners } from '../base/listeners.ts';
import { SerialQueue } from '../base/serial-queue.ts';
import type { InventoryConfig } from '../contract/config/inventory.ts';
import type { Profile, ProfileName } from '../domain/inventory/profile.ts';
import type { LoadedCluster, LoadedConfig, LoadedInventory } from '../domain/loaded-config.ts';
import type { ClusterReach } from '../kubernetes/cluster-reach.ts';
import type { Credential, Obtained } from '../ports/account.ts';
import type { Clock } from '../ports/clock.ts';
import type { ConfigStore } from '../ports/config-store.ts';
import type { Log } from '../ports/log.ts';
import type { Verdict } from '../ports/target-probe.ts';
import { startFileSource } from './file-source.ts';
import { startHubSource } from './hub-source.ts';
import type { InventoryState, ProfileProblem } from './inventory-state.ts';
import type { ProfileSource } from './profile-source.ts';
import { openProfileStore, type ProfileStore } from './profile-store.ts';
import { removeStored } from './stored-profiles.ts';

/** The inventories of config.yaml, and what is known of their profiles. */
export interface Inventories extends Disposable {
  /** Null: it isn’t known. */
  profile(name: ProfileName): Profile | null;
  profilesOf(inventory: string): Iterable<Profile>;
  /** Null: there is no such inventory. */
  state(inventory: string): InventoryState | null;
  problems(inventory: string): readonly ProfileProblem[];
  /** Reads an inventory anew; the fault as a sentence, or null. */
  sync(inventory: string): Promise<string | null>;
  /** Called once for each burst of changes. */
  onChange(listener: () => void): Disposable;
  /** Lists and watches from now on. Before that, profiles are those of the last time. */
  begin(sources: InventorySources): void;
  /** The configuration or what is approved has changed: sources are started and stopped as it says. */
  follow(): void;
  /** The network or the machine is back: what waits is asked again now. */
  wake(): void;
}

/** What sources need. */
export interface InventorySources {
  /** The active configuration (rule: confirmed-binding). */
  active(): LoadedConfig;
  /** Whether the inventory, or the hub’s cluster, is approved; nothing is asked for another. */
  isServed(what: 'inventory' | 'cluster', name: string): boolean;
  /** The credential of a hub; never asks the user. */
  obtain(hub: LoadedCluster, asker: string, signal: AbortSignal): Promise<Obtained>;
  /** What the hub made of its credential (rule: inferred-401). */
  saw(hub: LoadedCluster, credential: Credential, verdict: Verdict): Promise<void>;
  reach: ClusterReach;
}

export interface InventoriesOptions {
  /** The folder of the last states. */
  folder: string;
  config: Pick<ConfigStore, 'current' | 'onChange'>;
  clock: Clock;
  /** From 0 up to 1. */
  random(): number;
  log: Log;
}

interface Running {
  /** Where its profiles are from: those of another source are others. */
  origin: string;
  store: ProfileStore;
  subscription: Disposable;
  source: ProfileSource | null;
  /** What the source was started with. */
  from: { config: InventoryConfig; hub: LoadedCluster | null } | null;
}

/** Reads the last state of each inventory. */
export async function openInventories(options: InventoriesOptions): Promise<Inventories> {
  const inventories = new AllInventories(options);
  await inventories.settle();
  return inventories;
}

class AllInventories implements Inventories {
  readonly #options: InventoriesOptions;
  readonly #running = new Map<string, Running>();
  readonly #listeners = createListeners();
  readonly #queue = new SerialQueue();
  readonly #subscription: Disposable;
  #sources: InventorySources | null = null;
  #ended = false;

  constructor(options: InventoriesOptions) {
    this.#options = options;
    this.#subscription = options.config.onChange(() => this.follow());
  }

  profile({ inventory, namespace, name }: ProfileName): Profile | null {
    return this.#running.get(inventory)?.store.profiles().get(`${namespace}/${name}`) ?? null;
  }

  profilesOf(inventory: string): Iterable<Profile> {
    return this.#running.get(inventory)?.store.profiles().values() ?? [];
  }

  state(inventory: string): InventoryState | null {
    const running = this.#running.get(inventory);
    if (!running) {
      return null;
    }
    const state = running.store.state();
    const { lastSyncAt } = state;
    return running.source === null
      ? // Nothing is read: Lanyard is locked, or something is pending approval.
        {
          ...state,
          kind: lastSyncAt === null ? 'starting' : 'stale',
          trouble: null,
          troubleSince: null,
          retryAt: null,
        }
      : state;
  }

  problems(inventory: string): readonly ProfileProblem[] {
    return this.#running.get(inventory)?.store.problems() ?? [];
  }

  async sync(inventory: string): Promise<string | null> {
    await this.settle();
    const source = this.#running.get(inventory)?.source;
    if (!source) {
      return 'it isn’t read: it or its hub is pending approval, or Lanyard is locked';
    }
    const outcome = await source.sync();
    return outcome.ok ? null : outcome.text;
  }

  onChange(listener: () => void): Disposable {
    return this.#listeners.add(listener);
  }

  begin(sources: InventorySources): void {
    this.#sources = sources;
    this.follow();
  }

  follow(): void {
    this.settle().catch((error: unknown) => {
      this.#options.log.error('inventories.follow', { error: String(error) });
    });
  }

  wake(): void {
    for (const { source } of this.#running.values()) {
      source?.wake();
    }
  }

  /** Stores and sources as the configuration has them now. */
  settle(): Promise<void> {
    return this.#queue.run(async () => {
      if (this.#ended) {
        return;
      }
      const config = this.#sources?.active() ?? this.#options.config.current();
      for (const [name, running] of this.#running) {
        if (!config.inventories.has(name)) {
          await this.#end(name, running);
          await removeStored(this.#options.folder, name);
        }
      }
      for (const inventory of config.inventories.values()) {
        await this.#settleOne(inventory, config);
      }
    });
  }

  async dispose(): Promise<void> {
    this.#ended = true;
    this.#subscription.dispose();
    await this.#queue.drain();
    const ending = new Disposables();
    for (const [name, running] of this.#running) {
      ending.add({ dispose: () => this.#end(name, running) });
    }
    await ending.dispose();
  }

  async #settleOne(inventory: LoadedInventory, config: LoadedConfig): Promise<void> {
    const { name } = inventory;
    const origin = originOf(inventory.config);
    const before = this.#running.get(name);
    if (before && before.origin !== origin) {
      await this.#end(name, before);
    }
    const running = this.#running.get(name) ?? (await this.#open(name, origin));
    const from = this.#fromOf(inventory, config);
    const isSame = from?.config === running.from?.config && from?.hub === running.from?.hub;
    if (isSame) {
      return;
    }
    await running.source?.dispose();
    running.from = from;
    running.source = from === null ? null : this.#start(name, running.store, from);
  }

  /** Null: it must not be asked now. */
  #fromOf({ name, config }: LoadedInventory, { clusters }: LoadedConfig): Running['from'] {
    if (!this.#sources?.isServed('inventory', name)) {
      return null;
    }
    if (config.cluster === undefined) {
      return { config, hub: null };
    }
    const hub = clusters.get(config.cluster);
    return hub && this.#sources.isServed('cluster', hub.name) ? { config, hub } : null;
  }

  async #open(name: string, origin: string): Promise<Running> {
    const { folder, clock, log } = this.#options;
    const store = await openProfileStore({ folder, inventory: name, origin, clock, log });
    const subscription = store.onChange(() => this.#listeners.tell());
    const running: Running = { origin, store, subscription, source: null, from: null };
    this.#running.set(name, running);
    this.#listeners.tell();
    return running;
  }

  #start(
    name: string,
    store: ProfileStore,
    { config, hub }: NonNullable<Running['from']>,
  ): ProfileSource | null {
    const { clock, random, log } = this.#options;
    const sources = this.#sources;
    if (sources === null) {
      return null;
    }
    if (hub === null) {
      return startFileSource({ name, config }, { store, clock, log });
    }
    return startHubSource(
      { name, config },
      {
        cluster: hub,
        reach: sources.reach,
        obtain: (asker, signal) => sources.obtain(hub, asker, signal),
        saw: (credential, verdict) => sources.saw(hub, credential, verdict),
      },
      { store, clock, random, log },
    );
  }

  async #end(name: string, running: Running): Promise<void> {
    this.#running.delete(name);
    running.subscription.dispose();
    await running.source?.dispose();
    await running.store.dispose();
    this.#listeners.tell();
  }
}

function originOf({ cluster, namespaces, labelSelector, files }: InventoryConfig): string {
  return JSON.stringify(cluster === undefined ? { files } : { cluster, namespaces, labelSelector });
}
