import type { ConfiguredKind } from '../contract/config/config.ts';
import { type Refusal, refuse } from '../contract/refusal.ts';
import { formText } from '../domain/approval/approved-form.ts';
import { RegistryPatterns } from '../domain/image/registry-choice.ts';
import { entriesOf, type Loaded, type LoadedEntries } from '../domain/loaded-config.ts';
import { clusterTarget } from '../domain/target/cluster-target.ts';
import { registryKind, registryTarget } from '../domain/target/registry-target.ts';
import { clusterKind, type Target, type TargetName } from '../domain/target/target.ts';
import { unknownName } from '../domain/text/unknown-name.ts';
import { visibleText } from '../domain/text/visible-text.ts';
import type { Account } from '../ports/account.ts';
import type { Directory } from '../ports/broker-core.ts';
import type { ConfigStore, LoadedAccount } from '../ports/config-store.ts';
import type { Bindings } from './bindings.ts';
import { findRegistry } from './find-registry.ts';

export interface AccountRegistryDeps {
  /** `current`: the active configuration, in the approved forms. */
  config: Pick<ConfigStore, 'current' | 'problems'>;
  bindings: Pick<Bindings, 'isServed' | 'pending' | 'pendingClusters' | 'pendingRegistries'>;
  /** Makes the account of the kind that its configuration names. `isCurrent` returns false once it was replaced. */
  make(loaded: LoadedAccount, isCurrent: () => boolean): Account;
  /** An account's object was dropped: its configuration changed, or it was removed. */
  onGone(name: string): void;
}

interface Entry {
  loaded: LoadedAccount;
  readonly account: Account;
}

/** The active accounts, clusters and registries, by name; what has no approved form is denied (rule: confirmed-binding). */
export class AccountRegistry implements Directory {
  readonly #deps: AccountRegistryDeps;
  readonly #accounts = new Map<string, Entry>();
  /** For the map that they were compiled of: another reading of the configuration has another. */
  #patterns: { of: LoadedEntries['registries']; compiled: RegistryPatterns } | null = null;

  constructor(deps: AccountRegistryDeps) {
    this.#deps = deps;
  }

  account(name: string): { ok: true; account: Account } | Refusal {
    const account = this.peekAccount(name);
    if (!account) {
      return this.#unknown('account', name, this.#deps.config.current().accounts.keys());
    }
    return this.#unserved('account', { name }) ?? { ok: true, account };
  }

  fallbackHelper(): ReturnType<Directory['fallbackHelper']> {
    for (const { name, config } of this.#deps.config.current().accounts.values()) {
      if ('credentialHelper' in config && config.credentialHelper.fallback) {
        return { account: name, helper: config.credentialHelper.helper };
      }
    }
    return null;
  }

  cluster(name: string): ReturnType<Directory['cluster']> {
    const found = this.#usable('cluster', name);
    return found.ok ? { ok: true, cluster: found.entry } : found;
  }

  registry(name: string): ReturnType<Directory['registry']> {
    const found = this.#usable('registry', name);
    return found.ok ? { ok: true, registry: found.entry } : found;
  }

  /** A target of any kind, approved and usable, or why not. */
  target({ kind, name }: TargetName): { ok: true; target: Target } | Refusal {
    if (kind === registryKind) {
      const found = this.registry(name);
      return found.ok ? { ok: true, target: registryTarget(found.registry) } : found;
    }
    if (kind !== clusterKind) {
      return refuse(
        'notFound',
        'target.kind',
        `lanyard knows no target of the kind ${visibleText(kind, 40)}`,
      );
    }
    const found = this.cluster(name);
    return found.ok ? { ok: true, target: clusterTarget(found.cluster) } : found;
  }

  /** All active targets, of every kind; includes those without an approved form. */
  *targets(): Iterable<Target> {
    for (const cluster of this.clusters()) {
      yield clusterTarget(cluster);
    }
    for (const registry of this.registries()) {
      yield registryTarget(registry);
    }
  }

  clusters(): ReturnType<Directory['clusters']> {
    return [...this.#deps.config.current().clusters.values()];
  }

  registries(): ReturnType<Directory['registries']> {
    return [...this.#deps.config.current().registries.values()];
  }

  registryPatterns(): RegistryPatterns {
    const { registries } = this.#deps.config.current();
    if (this.#patterns?.of !== registries) {
      this.#patterns = { of: registries, compiled: new RegistryPatterns(registries.values()) };
    }
    return this.#patterns.compiled;
  }

  registryFor(image: string, calledAs: string | null, isOpen: boolean): ReturnType<Directory['registryFor']> {
    const { bindings } = this.#deps;
    return findRegistry(image, calledAs, {
      patterns: this.registryPatterns(),
      isServed: (name) => bindings.isServed('registry', name),
      pending: () => bindings.pendingRegistries(),
      isOpen,
      fault: this.#neverValid(),
    });
  }

  pendingClusters(): ReturnType<Directory['pendingClusters']> {
    return this.#deps.bindings.pendingClusters();
  }

  serverRewrites(inventory: string): ReturnType<Directory['serverRewrites']> {
    return this.#deps.bindings.isServed('inventory', inventory)
      ? (this.#deps.config.current().inventories.get(inventory)?.config.serverRewrites ?? [])
      : [];
  }

  /** The account, approved or not: for the user's own commands on it. */
  peekAccount(name: string): Account | null {
    const loaded = this.#deps.config.current().accounts.get(name);
    const known = this.#accounts.get(name);
    if (loaded && known && isSame(loaded, known.loaded)) {
      known.loaded = loaded;
      return known.account;
    }
    if (known) {
      this.#accounts.delete(name);
      this.#deps.onGone(name);
    }
    if (!loaded) {
      return null;
    }
    const entry: Entry = {
      loaded,
      account: this.#deps.make(loaded, () => this.#accounts.get(name) === entry),
    };
    this.#accounts.set(name, entry);
    return entry.account;
  }

  /** Checks all accounts after the configuration changed: dropped ones end now, not at the next request. */
  refresh(): void {
    for (const name of [...this.#accounts.keys()]) {
      this.peekAccount(name);
    }
  }

  /** An entry that uses an account. */
  #usable<Kind extends 'cluster' | 'registry'>(
    what: Kind,
    name: string,
  ): { ok: true; entry: Loaded<Kind> } | Refusal {
    const { config, bindings } = this.#deps;
    const entries = entriesOf(config.current(), what);
    const entry = entries.get(name);
    if (!entry) {
      return this.#unknown(what, name, entries.keys());
    }
    const { account } = entry.config;
    // The approved form may name an account that config.yaml no longer has.
    const isOrphan = !config.current().accounts.has(account) && bindings.pending(what, name) !== null;
    return (
      this.#unserved(what, entry) ??
      (isOrphan ? pendingRefusal(what, entry, `its account ${account} was removed`) : { ok: true, entry })
    );
  }

  #unserved(what: ConfiguredKind, entry: Named): Refusal | null {
    return this.#deps.bindings.isServed(what, entry.name)
      ? null
      : pendingRefusal(what, entry, `nothing is issued for it until then`);
  }

  /** config.yaml has had errors since the broker's start: nothing of it is active. */
  #neverValid(): Refusal | null {
    const { accounts, clusters, registries } = this.#deps.config.current();
    const problem = this.#deps.config.problems().find((each) => each.severity === 'error');
    return problem && accounts.size + clusters.size + registries.size === 0
      ? refuse(
          'notPermitted',
          'config.invalid',
          'config.yaml has errors, so its registries are not known',
          `fix it first, in line ${problem.line ?? 1}: ${problem.message}`,
        )
      : null;
  }

  #unknown(what: ConfiguredKind, name: string, known: Iterable<string>): Refusal {
    const unknown = unknownName(what, name, known).toRefusal();
    const problem = this.#deps.config.problems().find((each) => each.severity === 'error');
    return problem
      ? {
          ...unknown,
          hint: `config.yaml has errors, the first in line ${problem.line ?? 1}: ${problem.message}`,
        }
      : unknown;
  }
}

type Named = Pick<Loaded, 'name'> & Partial<Pick<Loaded, 'origin'>>;

function pendingRefusal(what: ConfiguredKind, { name, origin }: Named, why: string): Refusal {
  const where = origin ? `, a profile of the inventory ${origin.inventory},` : ' in config.yaml';
  const message = `the ${what} ${name}${where} is pending approval: ${why}`;
  return refuse('notPermitted', 'binding.held', message, `review and approve it: lanyard confirm ${name}`);
}

/** The same object after most calls; an equal one after the file was read again, or from what was approved. */
function isSame(a: LoadedAccount, b: LoadedAccount): boolean {
  return a === b || (a.name === b.name && formText(a) === formText(b));
}
