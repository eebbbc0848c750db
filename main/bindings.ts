import type { Disposable } from './base/disposables.ts';
import type { Settings } from './contract/config.ts';
import { durationMilliseconds } from './contract/duration.ts';
import {
  confirmAll,
  confirmedSettings,
  createKeptShapes,
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
  #last: {
    config: LoadedConfig;
    confirmed: Confirmed;
    changes: readonly HeldChange[];
    /** By what it is and its name: asked for several times with each call, and thousands may be held. */
    byName: ReadonlyMap<string, HeldChange>;
  } | null = null;
  readonly #shapes = createKeptShapes();
  readonly #listeners = new Set<() => void>();
  #settings: { confirmed: Confirmed['settings']; settings: Settings; idleLimit: number | null } | null = null;

  constructor(deps: BindingsDeps) {
    this.#deps = deps;
  }

  /** All that is held now. Throws `vault.locked` while the vault isn't open. */
  changes(): readonly HeldChange[] {
    return this.#held().changes;
  }

  held(what: HeldChange['what'], name: string): HeldChange | null {
    return this.#held().byName.get(`${what} ${name}`) ?? null;
  }

  #held() {
    const config = this.#deps.config.current();
    const { confirmed } = this.#deps.vault.read();
    // Both are immutable: as long as they are the same objects, nothing has changed.
    if (this.#last?.config !== config || this.#last.confirmed !== confirmed) {
      const changes = heldChanges(config, confirmed, this.#shapes);
      const byName = new Map(changes.map((change) => [`${change.what} ${change.name}`, change]));
      this.#last = { config, confirmed, changes, byName };
    }
    return this.#last;
  }

  /**
   * The settings that a person confirmed, whatever the file says; as they were last known while the vault isn't open,
   * and null while nobody has opened it yet.
   */
  settings(): Settings | null {
    if (this.#deps.vault.state().kind === 'open') {
      const { settings: confirmed } = this.#deps.vault.read().confirmed;
      if (this.#settings?.confirmed !== confirmed) {
        const settings = confirmedSettings(confirmed);
        const { afterIdle } = settings.lock;
        // Asked for with each request: read once.
        const idleLimit = afterIdle === undefined ? null : durationMilliseconds(afterIdle);
        this.#settings = { confirmed, settings, idleLimit };
      }
    }
    return this.#settings?.settings ?? null;
  }

  /** The confirmed `lock.afterIdle` in milliseconds; null: never, or the vault isn't open. */
  idleLimit(): number | null {
    this.settings();
    return this.#deps.vault.state().kind === 'open' ? (this.#settings?.idleLimit ?? null) : null;
  }

  /** Called after each confirmation. */
  onConfirmed(listener: () => void): Disposable {
    const own = () => listener();
    this.#listeners.add(own);
    return { dispose: () => void this.#listeners.delete(own) };
  }

  /** Takes one account, cluster or setting as it is in the configuration now; a name that is gone is forgotten. */
  confirm(what: HeldChange['what'], name: string): Promise<void> {
    return this.confirmMany([{ what, name }]);
  }

  /** The same for many, in one write of the vault: all of them or none. */
  async confirmMany(entries: readonly Pick<HeldChange, 'what' | 'name'>[]): Promise<void> {
    const config = this.#deps.config.current();
    await this.#deps.vault.update((content) => {
      const accounts = { ...content.confirmed.accounts };
      const clusters = { ...content.confirmed.clusters };
      const settings = { ...content.confirmed.settings };
      for (const { what, name } of entries) {
        const account = config.accounts.get(name);
        const cluster = config.clusters.get(name);
        if (what === 'account') {
          setOrDelete(accounts, name, account && this.#shapes.account(account));
        } else if (what === 'cluster') {
          setOrDelete(clusters, name, cluster && this.#shapes.cluster(cluster));
        } else {
          setOrDelete(settings, name, settingShapes(config.settings)[name]);
        }
      }
      return { ...content, confirmed: { accounts, clusters, settings } };
    });
    this.#tell();
  }

  /** Takes the configuration as `seen` by the person: where it has changed since, nothing is taken. */
  async confirmAll(seen: LoadedConfig): Promise<boolean> {
    if (this.#deps.config.current() !== seen) {
      return false;
    }
    await this.#deps.vault.update((content) => ({ ...content, confirmed: confirmAll(seen, this.#shapes) }));
    this.#tell();
    return true;
  }

  /** The configuration found when a vault is first made counts as confirmed. */
  async adoptNewVault(): Promise<void> {
    const state = this.#deps.vault.state();
    if (state.kind === 'open' && state.generation === 1) {
      await this.confirmAll(this.#deps.config.current());
    }
  }

  #tell(): void {
    for (const listener of this.#listeners) {
      listener();
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
