import { keepSame } from '../config/keep-same.ts';
import type { ConfiguredKind } from '../contract/config/config.ts';
import { type ActiveForms, activeForms } from '../domain/approval/active-forms.ts';
import { type PendingChange, pendingChanges } from '../domain/approval/binding.ts';
import type { ShapeOf } from '../domain/approval/kind-rules.ts';
import { entriesOf, type Loaded, type LoadedEntries, loadedEntries } from '../domain/loaded-config.ts';
import type { ConfigStore, LoadedConfig } from '../ports/config-store.ts';
import type { Confirmed, Vault } from '../ports/vault.ts';

export interface ServedConfigDeps {
  config: Pick<ConfigStore, 'current'>;
  vault: Pick<Vault, 'read' | 'state'>;
}

interface Known {
  config: LoadedConfig;
  confirmed: Confirmed;
  changes: readonly PendingChange[];
  /** By kind and name: read several times with each call, and thousands may be pending. */
  byName: ReadonlyMap<string, PendingChange>;
  active: ActiveForms;
}

/**
 * What is pending of config.yaml, and what is active meanwhile; recomputed when one of both has changed
 * (rule: confirmed-binding).
 */
export class ServedConfig {
  readonly #deps: ServedConfigDeps;
  readonly #shapeOf: ShapeOf;
  #last: Known | null = null;

  constructor(deps: ServedConfigDeps, shapeOf: ShapeOf) {
    this.#deps = deps;
    this.#shapeOf = shapeOf;
  }

  /** All pending changes. Throws `vault.locked` while the vault isn't open. */
  changes(): readonly PendingChange[] {
    return this.#known().changes;
  }

  pending(what: PendingChange['what'], name: string): PendingChange | null {
    return this.#known().byName.get(`${what} ${name}`) ?? null;
  }

  /**
   * The active configuration: approved forms. While the vault isn't open nothing is issued, and this is the last
   * active configuration, as far as config.yaml still has it.
   */
  activeConfig(): LoadedConfig {
    const file = this.#deps.config.current();
    if (this.#deps.vault.state().kind === 'open') {
      return this.#known().active.config;
    }
    const last = this.#last?.active.config;
    return last === undefined ? file : { ...file, ...keptEntries(file, last) };
  }

  /** Whether it has an approved form. Throws `vault.locked` while the vault isn't open. */
  isServed(what: ConfiguredKind, name: string): boolean {
    return !this.#known().active.unserved.has(`${what} ${name}`);
  }

  /** Entries of one kind as config.yaml has them, pending. */
  pendingEntries<Kind extends ConfiguredKind>(kind: Kind): Loaded<Kind>[] {
    const entries = entriesOf(this.#deps.config.current(), kind);
    return this.changes().flatMap(({ what, name }) => {
      const entry = what === kind ? entries.get(name) : undefined;
      return entry ? [entry] : [];
    });
  }

  /** What is approved; while the vault isn't open, what was approved when this was last read; null: never read. */
  confirmed(): Confirmed | null {
    return this.#deps.vault.state().kind === 'open'
      ? this.#deps.vault.read().confirmed
      : (this.#last?.confirmed ?? null);
  }

  #known(): Known {
    const config = this.#deps.config.current();
    const { confirmed } = this.#deps.vault.read();
    // Both are immutable: while they are the same objects, nothing has changed.
    if (this.#last?.config !== config || this.#last.confirmed !== confirmed) {
      const served = activeForms(config, confirmed, this.#shapeOf);
      const changes = pendingChanges(config, confirmed, this.#shapeOf, served);
      const byName = new Map(changes.map((change) => [`${change.what} ${change.name}`, change]));
      // An unchanged entry is the same object: caches use it as their key.
      const kept = this.#last ? keepSame(this.#last.active.config, served.config) : served.config;
      this.#last = { config, confirmed, changes, byName, active: { ...served, config: kept } };
    }
    return this.#last;
  }
}

/** The names of `file`, each as in `last` where that has it. */
function keptEntries(file: LoadedConfig, last: LoadedConfig): LoadedEntries {
  return loadedEntries((kind) => {
    const before = entriesOf(last, kind);
    return new Map([...entriesOf(file, kind)].map(([name, entry]) => [name, before.get(name) ?? entry]));
  });
}
