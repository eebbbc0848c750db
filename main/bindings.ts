import type { Disposable } from './base/disposables.ts';
import { keepSame } from './config/keep-same.ts';
import { BrokerError } from './contract/broker-error.ts';
import type { BoundSettings } from './contract/config.ts';
import { durationMilliseconds } from './contract/duration.ts';
import { formText } from './domain/approved-form.ts';
import {
  accountChange,
  approvedSettings,
  clusterChange,
  createKeptShapes,
  type HeldChange,
  heldChanges,
  unapproved,
  unsaidSetting,
} from './domain/binding.ts';
import type { ShapeOf } from './domain/cluster-shape.ts';
import { type InForce, inForce, own } from './domain/in-force.ts';
import { narrowedSettings } from './domain/narrowing.ts';
import type { BoundProgram, HeldProgram } from './domain/program-standing.ts';
import type { ConfigStore, LoadedAccount, LoadedCluster, LoadedConfig } from './ports/config-store.ts';
import type { Confirmed, Vault, VaultContent } from './ports/vault.ts';

export interface BindingsDeps {
  config: Pick<ConfigStore, 'current'>;
  vault: Pick<Vault, 'read' | 'update' | 'state'>;
  /** What accounts' commands lead to now, of those that have one. Without it they are bound at their first run. */
  programs?(accounts: readonly LoadedAccount[]): Promise<SeenPrograms>;
}

/** By account, the program that a person was shown and approved with it; null: there was none to be shown. */
export type SeenPrograms = Readonly<Record<string, BoundProgram | null>>;

/** All that a person was shown and said yes to. */
export interface Shown {
  changes: readonly HeldChange[];
  programs?: SeenPrograms | undefined;
  /** Programs that changed under accounts that did not. */
  held?: readonly HeldProgram[];
}

/** An account or a cluster by its name. */
export interface EntryName {
  what: 'account' | 'cluster';
  name: string;
}

/** What was approved of a cluster that was removed: enough to put it back. */
export type RemovedApproval = { shape: string; form: string | undefined };

interface Known {
  config: LoadedConfig;
  confirmed: Confirmed;
  changes: readonly HeldChange[];
  /** By what it is and its name: asked for several times with each call, and thousands may be pending. */
  byName: ReadonlyMap<string, HeldChange>;
  inForce: InForce;
}

/**
 * What was approved of the configuration (rule 8), what is pending, and what is served meanwhile. `approve` is the one
 * way to an approval: it takes changes as they were shown, whatever config.yaml says by then.
 */
export class Bindings {
  readonly #deps: BindingsDeps;
  /** The configuration as it was when Lanyard started; null where there was a vault, which knows what was approved. */
  readonly #found: LoadedConfig | null;
  #last: Known | null = null;
  readonly #shapes = createKeptShapes();
  readonly #listeners = new Set<() => void>();
  #settings: {
    confirmed: Confirmed['settings'];
    file: LoadedConfig['settings'];
    settings: BoundSettings;
    idleLimit: number | null;
  } | null = null;

  constructor(deps: BindingsDeps) {
    this.#deps = deps;
    const state = deps.vault.state();
    const isFirst = state.kind === 'none' || (state.kind === 'open' && state.generation === 1);
    this.#found = isFirst ? deps.config.current() : null;
  }

  /** All that is pending now. Throws `vault.locked` while the vault isn't open. */
  changes(): readonly HeldChange[] {
    return this.#known().changes;
  }

  held(what: HeldChange['what'], name: string): HeldChange | null {
    return this.#known().byName.get(`${what} ${name}`) ?? null;
  }

  /**
   * The configuration as it is served: approved forms. While the vault isn't open nothing is issued, and it is what was
   * served last, as far as config.yaml still has it.
   */
  inForce(): LoadedConfig {
    const file = this.#deps.config.current();
    if (this.#deps.vault.state().kind === 'open') {
      return this.#known().inForce.config;
    }
    const last = this.#last?.inForce.config;
    return last === undefined ? file : { ...file, ...keptEntries(file, last) };
  }

  /** It has an approved form. Throws `vault.locked` while the vault isn't open. */
  isServed(what: EntryName['what'], name: string): boolean {
    return !this.#known().inForce.unserved.has(`${what} ${name}`);
  }

  /** Clusters as config.yaml has them, pending. */
  pendingClusters(): LoadedCluster[] {
    const { clusters } = this.#deps.config.current();
    return this.changes().flatMap(({ what, name }) => {
      const cluster = what === 'cluster' ? clusters.get(name) : undefined;
      return cluster ? [cluster] : [];
    });
  }

  #known(): Known {
    const config = this.#deps.config.current();
    const { confirmed } = this.#deps.vault.read();
    // Both are immutable: as long as they are the same objects, nothing has changed.
    if (this.#last?.config !== config || this.#last.confirmed !== confirmed) {
      const served = inForce(config, confirmed, this.#shapes);
      const changes = heldChanges(config, confirmed, this.#shapes, served);
      const byName = new Map(changes.map((change) => [`${change.what} ${change.name}`, change]));
      // An entry that is as it was is the same object: what is known of it is known by that.
      const kept = this.#last ? keepSame(this.#last.inForce.config, served.config) : served.config;
      this.#last = { config, confirmed, changes, byName, inForce: { ...served, config: kept } };
    }
    return this.#last;
  }

  /**
   * The settings that were approved, narrowed by what the file says; as they were last known while the vault isn't open,
   * and null before it was opened.
   */
  settings(): BoundSettings | null {
    if (this.#deps.vault.state().kind === 'open') {
      const { settings: confirmed } = this.#deps.vault.read().confirmed;
      const { settings: file } = this.#deps.config.current();
      if (this.#settings?.confirmed !== confirmed || this.#settings.file !== file) {
        const settings = narrowedSettings(approvedSettings(confirmed), file);
        const { afterIdle } = settings.lock;
        // Asked for with each request: read once.
        const idleLimit = afterIdle === undefined ? null : durationMilliseconds(afterIdle);
        this.#settings = { confirmed, file, settings, idleLimit };
      }
    }
    return this.#settings?.settings ?? null;
  }

  /** `lock.afterIdle` as it counts, in milliseconds; null: never, or the vault isn't open. */
  idleLimit(): number | null {
    this.settings();
    return this.#deps.vault.state().kind === 'open' ? (this.#settings?.idleLimit ?? null) : null;
  }

  /** `lock.withScreen` as it counts. */
  locksWithScreen(): boolean {
    return this.settings()?.lock.withScreen === true;
  }

  /** Called after each approval, and where one is withdrawn. */
  onConfirmed(listener: () => void): Disposable {
    const entry = () => listener();
    this.#listeners.add(entry);
    return { dispose: () => void this.#listeners.delete(entry) };
  }

  /** How entries that a person states, whole, differ from what is approved: to be approved as they were stated. */
  changesTo({ accounts, clusters }: Pick<LoadedConfig, 'accounts' | 'clusters'>): HeldChange[] {
    const { confirmed } = this.#deps.vault.read();
    return [
      ...[...accounts.values()].flatMap((each: LoadedAccount) => accountChange(each, confirmed.accounts)),
      ...[...clusters.values()].flatMap((each: LoadedCluster) => clusterChange(each, confirmed.clusters)),
    ];
  }

  /**
   * Approves exactly what was shown, in one write of the vault: all of it or nothing. Throws `confirm.changed` where
   * something else was approved of it meanwhile: what was shown is then not what would change. Programs are bound to what
   * was shown; one that was not stays as it was bound. `forgetGone`: what config.yaml no longer has.
   */
  async approve(
    { changes, programs = {}, held = [] }: Shown,
    options: { forgetGone?: boolean } = {},
  ): Promise<void> {
    const file = this.#deps.config.current();
    await this.#deps.vault.update((content) => {
      const next = copied(content.confirmed);
      for (const change of changes) {
        approveOne(next, change);
      }
      for (const [account, program] of Object.entries(programs)) {
        setOrDelete(next.programs, account, program ?? undefined);
      }
      for (const { account, before, now } of held) {
        const bound = own(next.programs, account);
        if (bound?.path !== before.path || bound.sha256 !== before.sha256) {
          throw changedMeanwhile();
        }
        next.programs[account] = { path: now.path, sha256: now.sha256 };
      }
      if (options.forgetGone) {
        forgetGone(next, file);
      }
      return { ...content, confirmed: next };
    });
    this.#tell();
  }

  /**
   * What was approved of these is approved no more, whatever the configuration says of them by now: another entry of
   * that name may have been written since it was taken out.
   */
  async forget(entries: readonly EntryName[]): Promise<void> {
    await this.#deps.vault.update((content) => {
      const next = copied(content.confirmed);
      for (const { what, name } of entries) {
        forgetOne(next, what, name);
      }
      return { ...content, confirmed: next };
    });
    this.#tell();
  }

  /** Of a cluster; null: nothing is approved of it. */
  approvalOf(cluster: string): RemovedApproval | null {
    const { clusters, forms } = this.#deps.vault.read().confirmed;
    const shape = own(clusters, cluster);
    return shape === undefined ? null : { shape, form: own(forms.clusters, cluster) };
  }

  /** What was approved of a cluster is so again, and nothing else: an entry that differs from it is pending. */
  async putBack(cluster: string, { shape, form }: RemovedApproval): Promise<void> {
    await this.#deps.vault.update((content) => {
      const next = copied(content.confirmed);
      next.clusters[cluster] = shape;
      setOrDelete(next.forms.clusters, cluster, form);
      return { ...content, confirmed: next };
    });
    this.#tell();
  }

  /**
   * The content of a vault that is about to be restored in the place of this one. What is pending now is not approved by
   * that: where the restored vault approved just that form, what is approved of it now stays.
   */
  keepPending(content: VaultContent): VaultContent {
    const confirmed = this.#confirmedAsKnown();
    const next = copied(content.confirmed);
    if (confirmed === null) {
      return content;
    }
    for (const { what, name, before, after } of heldChanges(this.#deps.config.current(), confirmed)) {
      if (what === 'setting') {
        if ((own(next.settings, name) ?? unsaidSetting(name)) === after) {
          setOrDelete(next.settings, name, before ?? undefined);
        }
        continue;
      }
      const group = what === 'account' ? 'accounts' : 'clusters';
      if (own(next[group], name) === after) {
        setOrDelete(next[group], name, before ?? undefined);
        setOrDelete(next.forms[group], name, own(confirmed.forms[group], name));
      }
    }
    return { ...content, confirmed: next };
  }

  /** Null where the vault was never open. */
  #confirmedAsKnown(): Confirmed | null {
    return this.#deps.vault.state().kind === 'open'
      ? this.#deps.vault.read().confirmed
      : (this.#last?.confirmed ?? null);
  }

  /**
   * When a vault is first made, what a person was shown of the configuration (`seen`) is approved; where they were shown
   * nothing, what Lanyard found at its start. What was written since then is pending: nobody has approved it. `shown`:
   * the programs that were shown with it; another that is there by now is pending, too.
   */
  async adoptNewVault(seen: LoadedConfig | null = this.#found, shown?: SeenPrograms): Promise<void> {
    const state = this.#deps.vault.state();
    if (state.kind === 'open' && state.generation === 1 && isEmpty(this.#deps.vault.read().confirmed)) {
      const changes = seen ? unchangedSince(seen, this.#deps.config.current(), this.#shapes) : [];
      const accounts = changes.flatMap(({ what, name }) => {
        const account = what === 'account' ? seen?.accounts.get(name) : undefined;
        return account ? [account] : [];
      });
      // Also where that is nothing: the vault's next generation isn't a new one any more.
      const programs = shown
        ? Object.fromEntries(accounts.map(({ name }) => [name, own(shown, name) ?? null]))
        : await this.#deps.programs?.(accounts);
      await this.approve({ changes, programs });
    }
  }

  /**
   * Keeps the form of each entry that is in config.yaml as it was approved: what is not bound may have changed in it, and
   * a vault of an older Lanyard has no forms. It approves nothing: the shape is the approved one.
   */
  async keepForms(): Promise<void> {
    if (this.#deps.vault.state().kind !== 'open' || !this.#lacksForms(this.#deps.vault.read().confirmed)) {
      return;
    }
    await this.#deps.vault.update((content) => {
      const next = copied(content.confirmed);
      for (const [group, name, form] of this.#formsOf(content.confirmed)) {
        next.forms[group][name] = form;
      }
      return { ...content, confirmed: next };
    });
  }

  #lacksForms({ forms, ...confirmed }: Confirmed): boolean {
    return this.#formsOf({ ...confirmed, forms }).some(
      ([group, name, form]) => own(forms[group], name) !== form,
    );
  }

  /** Of all that is in config.yaml as it was approved. */
  #formsOf(confirmed: Confirmed): ['accounts' | 'clusters', string, string][] {
    const { accounts, clusters } = this.#deps.config.current();
    return [
      ...[...accounts.values()].flatMap((each): ['accounts', string, string][] =>
        own(confirmed.accounts, each.name) === this.#shapes.account(each)
          ? [['accounts', each.name, formText(each)]]
          : [],
      ),
      ...[...clusters.values()].flatMap((each): ['clusters', string, string][] =>
        own(confirmed.clusters, each.name) === this.#shapes.cluster(each)
          ? [['clusters', each.name, formText(each)]]
          : [],
      ),
    ];
  }

  #tell(): void {
    for (const listener of this.#listeners) {
      listener();
    }
  }
}

/** What was approved by having seen `seen`, as far as `now` still has it. */
function unchangedSince(seen: LoadedConfig, now: LoadedConfig, shapes: ShapeOf): HeldChange[] {
  const current = new Map(
    heldChanges(now, unapproved, shapes).map(({ what, name, after }) => [`${what} ${name}`, after]),
  );
  return heldChanges(seen, unapproved, shapes).filter(
    ({ what, name, after }) => current.get(`${what} ${name}`) === after,
  );
}

type Writable = {
  accounts: Record<string, string>;
  clusters: Record<string, string>;
  settings: Record<string, string>;
  programs: Record<string, BoundProgram>;
  forms: { accounts: Record<string, string>; clusters: Record<string, string> };
};

function copied({ accounts, clusters, settings, programs, forms }: Confirmed): Writable {
  return {
    accounts: { ...accounts },
    clusters: { ...clusters },
    settings: { ...settings },
    programs: { ...programs },
    forms: { accounts: { ...forms.accounts }, clusters: { ...forms.clusters } },
  };
}

function approveOne(next: Writable, change: HeldChange): void {
  const { what, name, before, after, form } = change;
  if (what === 'setting') {
    if ((own(next.settings, name) ?? unsaidSetting(name)) !== before) {
      throw changedMeanwhile();
    }
    next.settings[name] = after;
    return;
  }
  const group = what === 'account' ? 'accounts' : 'clusters';
  if ((own(next[group], name) ?? null) !== before) {
    throw changedMeanwhile();
  }
  next[group][name] = after;
  setOrDelete(next.forms[group], name, form ?? undefined);
  if (what === 'account' && !isPlugin(after)) {
    delete next.programs[name];
  }
}

function isEmpty({ accounts, clusters, settings }: Confirmed): boolean {
  return [accounts, clusters, settings].every((each) => Object.keys(each).length === 0);
}

function isPlugin(shape: string): boolean {
  return (JSON.parse(shape) as { kind?: unknown }).kind === 'execPlugin';
}

function forgetOne(next: Writable, what: EntryName['what'], name: string): void {
  const group = what === 'account' ? 'accounts' : 'clusters';
  delete next[group][name];
  delete next.forms[group][name];
  if (what === 'account') {
    delete next.programs[name];
  }
}

function forgetGone(next: Writable, { accounts, clusters }: LoadedConfig): void {
  for (const name of Object.keys(next.accounts).filter((each) => !accounts.has(each))) {
    forgetOne(next, 'account', name);
  }
  for (const name of Object.keys(next.clusters).filter((each) => !clusters.has(each))) {
    forgetOne(next, 'cluster', name);
  }
}

function changedMeanwhile(): BrokerError {
  return new BrokerError('confirm.changed', 'something else was approved meanwhile', {
    reason: 'denied',
    hint: 'review it again: lanyard confirm',
  });
}

/** The names of `file`, each as in `last` where that has it. */
function keptEntries(file: LoadedConfig, last: LoadedConfig): Pick<LoadedConfig, 'accounts' | 'clusters'> {
  const kept = <Entry>(now: ReadonlyMap<string, Entry>, before: ReadonlyMap<string, Entry>) =>
    new Map([...now].map(([name, entry]) => [name, before.get(name) ?? entry]));
  return { accounts: kept(file.accounts, last.accounts), clusters: kept(file.clusters, last.clusters) };
}

function setOrDelete<Value>(record: Record<string, Value>, name: string, value: Value | undefined): void {
  if (value === undefined) {
    delete record[name];
  } else {
    record[name] = value;
  }
}
