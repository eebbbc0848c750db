import type { Disposable } from './base/disposables.ts';
import type { BoundSettings } from './contract/config.ts';
import { durationMilliseconds } from './contract/duration.ts';
import {
  confirmedSettings,
  createKeptShapes,
  type HeldChange,
  heldChanges,
  type ShapeOf,
  settingShapes,
  shapesOf,
  unapproved,
} from './domain/binding.ts';
import type { BoundProgram } from './domain/program-standing.ts';
import type { ConfigStore, LoadedAccount, LoadedConfig } from './ports/config-store.ts';
import type { Confirmed, Vault } from './ports/vault.ts';

export interface BindingsDeps {
  config: Pick<ConfigStore, 'current'>;
  vault: Pick<Vault, 'read' | 'update' | 'state'>;
  /** What accounts' commands lead to now, of those that have one. Without it they are bound at their first run. */
  programs?(accounts: readonly LoadedAccount[]): Promise<SeenPrograms>;
}

/** By account, the program that a person was shown and confirmed with it; null: there was none to be shown. */
export type SeenPrograms = Readonly<Record<string, BoundProgram | null>>;

/** What a person has confirmed of the configuration (rule 8), and what waits for that. */
export class Bindings {
  readonly #deps: BindingsDeps;
  /** The configuration as it was when Lanyard started; null where there was a vault, which knows what was approved. */
  readonly #found: LoadedConfig | null;
  #last: {
    config: LoadedConfig;
    confirmed: Confirmed;
    changes: readonly HeldChange[];
    /** By what it is and its name: asked for several times with each call, and thousands may be held. */
    byName: ReadonlyMap<string, HeldChange>;
  } | null = null;
  readonly #shapes = createKeptShapes();
  readonly #listeners = new Set<() => void>();
  #settings: { confirmed: Confirmed['settings']; settings: BoundSettings; idleLimit: number | null } | null =
    null;

  constructor(deps: BindingsDeps) {
    this.#deps = deps;
    const state = deps.vault.state();
    const isFirst = state.kind === 'none' || (state.kind === 'open' && state.generation === 1);
    this.#found = isFirst ? deps.config.current() : null;
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
  settings(): BoundSettings | null {
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

  /** The confirmed `lock.withScreen`. */
  locksWithScreen(): boolean {
    return this.settings()?.lock.withScreen === true;
  }

  /** Called after each confirmation. */
  onConfirmed(listener: () => void): Disposable {
    const own = () => listener();
    this.#listeners.add(own);
    return { dispose: () => void this.#listeners.delete(own) };
  }

  /** Takes one account, cluster or setting as it is in the configuration now; a name that is gone is forgotten. */
  confirm(what: HeldChange['what'], name: string, programs: SeenPrograms = {}): Promise<void> {
    return this.confirmMany([{ what, name }], programs);
  }

  /**
   * The same for many, in one write of the vault: all of them or none. An account's program is bound anew: to what was
   * seen, else to what its command leads to now. Of accounts that `programs` alone names, only the program is.
   */
  async confirmMany(
    entries: readonly Pick<HeldChange, 'what' | 'name'>[],
    programs: SeenPrograms = {},
  ): Promise<void> {
    const config = this.#deps.config.current();
    const accounts = entries.filter(({ what }) => what === 'account').map(({ name }) => name);
    const bound = await this.#programs(config, accounts, programs);
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
      return {
        ...content,
        confirmed: {
          accounts,
          clusters,
          settings,
          programs: bindPrograms(content.confirmed.programs, bound),
        },
      };
    });
    this.#tell();
  }

  /**
   * What was confirmed of these is confirmed no more, whatever the configuration says of them by now: somebody may have
   * written another entry of that name since it was taken out.
   */
  async forget(entries: readonly { what: 'account' | 'cluster'; name: string }[]): Promise<void> {
    const left = (record: Readonly<Record<string, string>>, what: string) => {
      const gone = new Set(entries.flatMap((entry) => (entry.what === what ? [entry.name] : [])));
      return Object.fromEntries(Object.entries(record).filter(([name]) => !gone.has(name)));
    };
    await this.#deps.vault.update((content) => {
      const { accounts, clusters, settings, programs } = content.confirmed;
      const unbound = entries.flatMap(({ what, name }) =>
        what === 'account' ? [[name, null] as const] : [],
      );
      return {
        ...content,
        confirmed: {
          accounts: left(accounts, 'account'),
          clusters: left(clusters, 'cluster'),
          settings,
          programs: bindPrograms(programs, Object.fromEntries(unbound)),
        },
      };
    });
    this.#tell();
  }

  /**
   * Takes the configuration as `seen` by the person: where it has changed since, nothing is taken. Programs of accounts
   * that are as they were stay bound to what they were bound to, but for those in `programs`.
   */
  async confirmAll(seen: LoadedConfig, programs: SeenPrograms = {}): Promise<boolean> {
    if (this.#deps.config.current() !== seen) {
      return false;
    }
    const changed = this.changes().filter(({ what }) => what === 'account');
    const bound = await this.#programs(
      seen,
      changed.map(({ name }) => name),
      programs,
    );
    await this.#deps.vault.update((content) => {
      const kept = Object.entries(content.confirmed.programs).filter(([name]) => seen.accounts.has(name));
      return {
        ...content,
        confirmed: {
          ...shapesOf(seen, this.#shapes),
          programs: bindPrograms(Object.fromEntries(kept), bound),
        },
      };
    });
    this.#tell();
    return true;
  }

  /**
   * When a vault is first made, what a person was shown of the configuration (`seen`) is approved; where they were shown
   * nothing, what Lanyard found at its start. What was written since then is pending: nobody has approved it.
   */
  async adoptNewVault(seen: LoadedConfig | null = this.#found): Promise<void> {
    const state = this.#deps.vault.state();
    if (state.kind === 'open' && state.generation === 1) {
      // Also where that is nothing: the vault's next generation isn't a new one any more.
      await this.confirmMany(seen ? unchangedSince(seen, this.#deps.config.current(), this.#shapes) : []);
    }
  }

  /** By account, what is to be bound; null: nothing. */
  async #programs(
    { accounts }: LoadedConfig,
    names: readonly string[],
    seen: SeenPrograms,
  ): Promise<SeenPrograms> {
    const unseen = names.filter((name) => !Object.hasOwn(seen, name));
    const found = await this.#deps.programs?.(
      unseen.flatMap((name) => {
        const account = accounts.get(name);
        return account ? [account] : [];
      }),
    );
    return { ...Object.fromEntries(unseen.map((name) => [name, null])), ...found, ...seen };
  }

  #tell(): void {
    for (const listener of this.#listeners) {
      listener();
    }
  }
}

/** What of `now` is as it was in `seen`. */
function unchangedSince(
  seen: LoadedConfig,
  now: LoadedConfig,
  shapes: ShapeOf,
): Pick<HeldChange, 'what' | 'name'>[] {
  const changed = new Set(
    heldChanges(now, shapesOf(seen, shapes), shapes).map(({ what, name }) => `${what} ${name}`),
  );
  return heldChanges(now, unapproved, shapes).filter(({ what, name }) => !changed.has(`${what} ${name}`));
}

function bindPrograms(before: Confirmed['programs'], programs: SeenPrograms): Record<string, BoundProgram> {
  const bound = { ...before };
  for (const [name, program] of Object.entries(programs)) {
    setOrDelete(bound, name, program ?? undefined);
  }
  return bound;
}

function setOrDelete<Value>(record: Record<string, Value>, name: string, value: Value | undefined): void {
  if (value === undefined) {
    delete record[name];
  } else {
    record[name] = value;
  }
}
