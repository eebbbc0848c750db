import { durationMilliseconds } from './contract/duration.ts';
import {
  accountShape,
  clusterShape,
  confirmAll,
  confirmedLock,
  type HeldChange,
  heldChanges,
  settingShapes,
} from './domain/binding.ts';
import type { ConfigStore, LoadedConfig } from './ports/config-store.ts';
import type { Confirmed, Vault } from './ports/vault.ts';

export interface BindingsDeps {
  config: Pick<ConfigStore, 'current'>;
  vault: Pick<Vault, 'read' | 'update' | 'state'>;
}

/** What a person has confirmed of the configuration (rule 8), and what waits for that. */
export class Bindings {
  readonly #deps: BindingsDeps;
  #last: { config: LoadedConfig; confirmed: Confirmed; changes: readonly HeldChange[] } | null = null;

  #lock: { settings: Confirmed['settings']; limit: number | null } | null = null;

  constructor(deps: BindingsDeps) {
    this.#deps = deps;
  }

  /** All that is held now. Throws `vault.locked` while the vault isn't open. */
  changes(): readonly HeldChange[] {
    const config = this.#deps.config.current();
    const { confirmed } = this.#deps.vault.read();
    // Both are immutable: as long as they are the same objects, nothing has changed.
    if (this.#last?.config !== config || this.#last.confirmed !== confirmed) {
      this.#last = { config, confirmed, changes: heldChanges(config, confirmed) };
    }
    return this.#last.changes;
  }

  held(what: HeldChange['what'], name: string): HeldChange | null {
    return this.changes().find((change) => change.what === what && change.name === name) ?? null;
  }

  /** The confirmed `lock.afterIdle` in milliseconds, whatever the file says; null: never, or the vault isn't open. */
  idleLimit(): number | null {
    if (this.#deps.vault.state().kind !== 'open') {
      return null;
    }
    const { settings } = this.#deps.vault.read().confirmed;
    if (this.#lock?.settings !== settings) {
      this.#lock = { settings, limit: idleLimitOf(settings) };
    }
    return this.#lock.limit;
  }

  /** Takes one account, cluster or setting as it is in the configuration now; a name that is gone is forgotten. */
  async confirm(what: HeldChange['what'], name: string): Promise<void> {
    const config = this.#deps.config.current();
    await this.#deps.vault.update((content) => {
      const accounts = { ...content.confirmed.accounts };
      const clusters = { ...content.confirmed.clusters };
      const settings = { ...content.confirmed.settings };
      const account = config.accounts.get(name);
      const cluster = config.clusters.get(name);
      if (what === 'account') {
        setOrDelete(accounts, name, account && accountShape(account));
      } else if (what === 'cluster') {
        setOrDelete(clusters, name, cluster && clusterShape(cluster));
      } else {
        setOrDelete(settings, name, settingShapes(config.settings)[name]);
      }
      return { ...content, confirmed: { accounts, clusters, settings } };
    });
  }

  /** Takes the configuration as `seen` by the person: where it has changed since, nothing is taken. */
  async confirmAll(seen: LoadedConfig): Promise<boolean> {
    if (this.#deps.config.current() !== seen) {
      return false;
    }
    await this.#deps.vault.update((content) => ({ ...content, confirmed: confirmAll(seen) }));
    return true;
  }

  /** The configuration found when a vault is first made counts as confirmed. */
  async adoptNewVault(): Promise<void> {
    const state = this.#deps.vault.state();
    if (state.kind === 'open' && state.generation === 1) {
      await this.confirmAll(this.#deps.config.current());
    }
  }
}

function setOrDelete(record: Record<string, string>, name: string, value: string | undefined): void {
  if (value === undefined) {
    delete record[name];
  } else {
    record[name] = value;
  }
}

function idleLimitOf(settings: Confirmed['settings']): number | null {
  const { afterIdle } = confirmedLock(settings);
  return afterIdle === undefined ? null : durationMilliseconds(afterIdle);
}
