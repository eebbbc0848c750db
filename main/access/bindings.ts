import type { Disposable } from '../base/disposables.ts';
import type { ConfiguredKind } from '../contract/config/config.ts';
import type { BoundSettings } from '../contract/config/settings.ts';
import { own } from '../domain/approval/active-forms.ts';
import { entryChanges, type PendingChange, pendingChanges } from '../domain/approval/binding.ts';
import { createKeptShapes } from '../domain/approval/kind-rules.ts';
import { approvalOf, type RemovedApproval, withRestored } from '../domain/approval/removed-approval.ts';
import type { EntryName, LoadedEntries } from '../domain/loaded-config.ts';
import type { SeenPrograms } from '../domain/program/program-check.ts';
import type {
  ConfigStore,
  LoadedAccount,
  LoadedCluster,
  LoadedConfig,
  LoadedRegistry,
} from '../ports/config-store.ts';
import type { Confirmed, Vault, VaultContent } from '../ports/vault.ts';
import { type Shown, withApproved } from './rules/approve.ts';
import { isUnapproved, unchangedSince, withoutProfiles } from './rules/first-vault.ts';
import { withoutAccount, withoutEntries, withoutGone } from './rules/forget.ts';
import { withForms } from './rules/keep-forms.ts';
import { withPendingKept } from './rules/keep-pending.ts';
import { ServedConfig } from './served-config.ts';
import { ServedSettings } from './served-settings.ts';

export interface BindingsDeps {
  config: Pick<ConfigStore, 'current'>;
  vault: Pick<Vault, 'read' | 'update' | 'state'>;
  /** The programs that accounts' commands resolve to now. Without it they are bound at their first run. */
  programs?(accounts: readonly LoadedAccount[]): Promise<SeenPrograms>;
}

/**
 * What was approved of the configuration (rule: confirmed-binding), what is pending, and what is active meanwhile.
 * `approve` is the only way to an approval: it takes changes as they were shown, whatever config.yaml says by then.
 */
export class Bindings {
  readonly #deps: BindingsDeps;
  /** The configuration at Lanyard's start; null: there was a vault, which knows what was approved. */
  readonly #found: LoadedConfig | null;
  readonly #shapes = createKeptShapes();
  readonly #served: ServedConfig;
  readonly #settings: ServedSettings;
  readonly #listeners = new Set<() => void>();

  constructor(deps: BindingsDeps) {
    this.#deps = deps;
    const state = deps.vault.state();
    const isFirst = state.kind === 'none' || (state.kind === 'open' && state.generation === 1);
    this.#found = isFirst ? withoutProfiles(deps.config.current()) : null;
    this.#served = new ServedConfig(deps, this.#shapes);
    this.#settings = new ServedSettings(deps);
  }

  /** See ServedConfig. */
  changes(): readonly PendingChange[] {
    return this.#served.changes();
  }

  pending(what: PendingChange['what'], name: string): PendingChange | null {
    return this.#served.pending(what, name);
  }

  activeConfig(): LoadedConfig {
    return this.#served.activeConfig();
  }

  isServed(what: ConfiguredKind, name: string): boolean {
    return this.#served.isServed(what, name);
  }

  pendingClusters(): LoadedCluster[] {
    return this.#served.pendingEntries('cluster');
  }

  pendingRegistries(): LoadedRegistry[] {
    return this.#served.pendingEntries('registry');
  }

  /** See ServedSettings. */
  settings(): BoundSettings | null {
    return this.#settings.settings();
  }

  idleLimit(): number | null {
    return this.#settings.idleLimit();
  }

  locksWithScreen(): boolean {
    return this.#settings.locksWithScreen();
  }

  /** Called after each approval, and when one is withdrawn. */
  onConfirmed(listener: () => void): Disposable {
    const entry = () => listener();
    this.#listeners.add(entry);
    return { dispose: () => void this.#listeners.delete(entry) };
  }

  /** How entries that the user gives in full differ from what is approved: to be approved as they were given. */
  changesTo(entries: LoadedEntries): PendingChange[] {
    return entryChanges(entries, this.#deps.vault.read().confirmed);
  }

  /**
   * Approves exactly what was shown, in one write of the vault: all of it or nothing. Throws `confirm.changed` where
   * something else was approved meanwhile: the shown difference is then outdated. Programs are bound to what was
   * shown; one that was not shown stays as it was bound. `forgetGone`: forgets what config.yaml no longer has, except
   * accounts of which the vault has a login or secrets.
   */
  async approve(shown: Shown, options: { forgetGone?: boolean } = {}): Promise<void> {
    const file = this.#deps.config.current();
    await this.#confirm((confirmed, content) => {
      const next = withApproved(confirmed, shown);
      return options.forgetGone ? withoutGone(next, file, content) : next;
    });
    this.#tell();
  }

  /**
   * Withdraws the approval of these, whatever the configuration says of them by now: another entry by that name may
   * have been written since the removal.
   */
  async forget(entries: readonly EntryName[]): Promise<void> {
    await this.#confirm((confirmed) => withoutEntries(confirmed, entries));
    this.#tell();
  }

  /**
   * Removes what the vault has of an account: login, secrets and approval in one write, in both generations. Secrets
   * without the approval would go to a new account by that name.
   */
  async forgetAccount(name: string): Promise<void> {
    await this.#deps.vault.update((content) => withoutAccount(content, name), { bothGenerations: true });
    this.#tell();
  }

  /** Null: nothing of it is approved. */
  approvalOf(entry: EntryName): RemovedApproval | null {
    return approvalOf(this.#deps.vault.read().confirmed, entry);
  }

  /** Restores what was approved of entries, and nothing else: an entry that differs from it is pending. */
  async restore(entries: readonly (EntryName & { approval: RemovedApproval })[]): Promise<void> {
    await this.#confirm((confirmed) => withRestored(confirmed, entries));
    this.#tell();
  }

  /**
   * The content of a vault that is about to replace this one. It doesn't approve what is pending now. Unchanged where
   * this vault was never open.
   */
  keepPending(content: VaultContent): VaultContent {
    const now = this.#served.confirmed();
    return now === null
      ? content
      : {
          ...content,
          confirmed: withPendingKept(
            content.confirmed,
            now,
            pendingChanges(this.#deps.config.current(), now),
          ),
        };
  }

  /**
   * When a vault is first made, what the user was shown of the configuration (`seen`) is approved; where they were
   * shown nothing, what Lanyard found at its start. What was written since then is pending. `shown`: the programs
   * that were shown with it; a program that has changed since is pending too.
   */
  async adoptNewVault(seen: LoadedConfig | null = this.#found, shown?: SeenPrograms): Promise<void> {
    const state = this.#deps.vault.state();
    if (state.kind === 'open' && state.generation === 1 && isUnapproved(this.#deps.vault.read().confirmed)) {
      const changes = seen ? unchangedSince(seen, this.#deps.config.current(), this.#shapes) : [];
      const accounts = changes.flatMap(({ what, name }) => {
        const account = what === 'account' ? seen?.accounts.get(name) : undefined;
        return account ? [account] : [];
      });
      // Even if that is nothing: the vault's next generation is no longer a new one.
      const programs = shown
        ? Object.fromEntries(accounts.map(({ name }) => [name, own(shown, name) ?? null]))
        : await this.#deps.programs?.(accounts);
      await this.approve({ changes, programs });
    }
  }

  /** Stores the form of each entry that is in config.yaml as it was approved. It approves nothing. */
  async keepForms(): Promise<void> {
    const kept = (confirmed: Confirmed) => withForms(confirmed, this.#deps.config.current(), this.#shapes);
    if (this.#deps.vault.state().kind === 'open') {
      const { confirmed } = this.#deps.vault.read();
      if (kept(confirmed) !== confirmed) {
        await this.#confirm(kept);
      }
    }
  }

  async #confirm(change: (confirmed: Confirmed, content: VaultContent) => Confirmed): Promise<void> {
    await this.#deps.vault.update((content) => ({
      ...content,
      confirmed: change(content.confirmed, content),
    }));
  }

  #tell(): void {
    for (const listener of this.#listeners) {
      listener();
    }
  }
}
