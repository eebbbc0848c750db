import type { Disposable } from '../base/disposables.ts';
import { createListeners } from '../base/listeners.ts';
import type { Profile } from '../domain/inventory/profile.ts';
import type { ReadProfile } from '../domain/inventory/read-profile.ts';
import type { Clock } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';
import { emptiedMilliseconds, emptiedTrouble } from './emptied.ts';
import type { InventoryState, ProfileProblem } from './inventory-state.ts';
import { KnownProfiles, keyOf, namespaceOf, problemKey } from './known-profiles.ts';
import type { Listing, ScopeSink } from './scope-sink.ts';
import { ScopeState, stateOf } from './scope-state.ts';
import type { SourceTrouble } from './source-fault.ts';
import { StoredCopy } from './stored-copy.ts';
import { readStored, type StoredPlace } from './stored-profiles.ts';

export interface ProfileStoreOptions extends StoredPlace {
  clock: Clock;
  log: Log;
}

/** What is known of one inventory's profiles, also of one whose source is away. */
export interface ProfileStore extends Disposable {
  readonly inventory: string;
  /** By `NAMESPACE/NAME`; the same map always. A profile that didn't change is the same object. */
  profiles(): ReadonlyMap<string, Profile>;
  /** Objects of the source that are no profiles, and those that are left out; a thousand at most. */
  problems(): readonly ProfileProblem[];
  state(): InventoryState;
  /** Called once for each burst of changes of what the others tell. */
  onChange(listener: () => void): Disposable;
  /**
   * A source begins that has these namespaces; null: all. What is known of others is removed: config.yaml no longer
   * names them. Gives where the source puts what it hears of each.
   */
  begin(namespaces: readonly (string | null)[]): ScopeSink[];
  /** Writes what is known to disk, now. */
  save(): Promise<void>;
}

/** Quiet for so long, in milliseconds, and a burst is over. */
const quietMilliseconds = 100;
/** The longest that listeners wait for a burst to end. */
const burstMilliseconds = 500;
/** The same while a list comes in, which is one burst. */
const listMilliseconds = 3_000;

/** Reads what was last known from disk: until its source is heard it is stale, with its age. */
export async function openProfileStore(options: ProfileStoreOptions): Promise<ProfileStore> {
  const stored = await readStored(options);
  if (stored === 'damaged') {
    options.log.warn('inventory.anew', { inventory: options.inventory });
  }
  const { lastSyncAt, profiles } = stored === null || stored === 'damaged' ? nothing : stored;
  return new Store(options, lastSyncAt, profiles);
}

const nothing = { lastSyncAt: null, profiles: [] };

class Store implements ProfileStore {
  readonly inventory: string;
  readonly #options: ProfileStoreOptions;
  readonly #known = new KnownProfiles();
  readonly #scopes = new Map<string | null, ScopeState>();
  readonly #listeners = createListeners();
  /** When it was last in step before the source that there is now. */
  #storedAt: number | null;
  readonly #copy: StoredCopy;
  #listings = 0;
  /** Of the changes that were not told yet; boottime. */
  #burstSince: number | null = null;
  #telling: Disposable | undefined;

  constructor(options: ProfileStoreOptions, storedAt: number | null, profiles: readonly Profile[]) {
    this.inventory = options.inventory;
    this.#options = options;
    this.#storedAt = storedAt;
    for (const profile of profiles) {
      this.#known.put({ ok: true, profile });
    }
    this.#copy = new StoredCopy(options, () => ({
      lastSyncAt: this.state().lastSyncAt,
      profiles: this.#known.profiles.values(),
    }));
  }

  profiles(): ReadonlyMap<string, Profile> {
    return this.#known.profiles;
  }

  problems(): readonly ProfileProblem[] {
    return this.#known.problems;
  }

  state(): InventoryState {
    return stateOf(this.#scopes, this.#options.clock, this.#storedAt, this.#known.isOverQuota);
  }

  onChange(listener: () => void): Disposable {
    return this.#listeners.add(listener);
  }

  save(): Promise<void> {
    return this.#copy.save();
  }

  async dispose(): Promise<void> {
    this.#telling?.dispose();
    await this.#copy.dispose();
  }

  begin(namespaces: readonly (string | null)[]): ScopeSink[] {
    this.#storedAt = this.state().lastSyncAt;
    this.#scopes.clear();
    if (
      !namespaces.includes(null) &&
      this.#known.removeWhere((key) => !namespaces.includes(namespaceOf(key)))
    ) {
      this.#changed();
    }
    return namespaces.map((namespace) => this.#sink(namespace));
  }

  #sink(namespace: string | null): ScopeSink {
    const { clock } = this.#options;
    const scope = new ScopeState(clock);
    this.#scopes.set(namespace, scope);
    const inScope = (key: string) => namespace === null || namespaceOf(key) === namespace;
    let emptied: { since: number; retryAt: number } | null = null;
    return {
      beginListing: () =>
        this.#list({
          inScope,
          emptied: () => {
            emptied ??= { since: clock.boottime(), retryAt: clock.now() + emptiedMilliseconds };
            const isBelieved = clock.boottime() - emptied.since >= emptiedMilliseconds;
            if (!isBelieved) {
              this.#fail(scope, emptiedTrouble, emptied.retryAt);
            }
            return isBelieved;
          },
          settled: () => {
            emptied = null;
          },
        }),
      put: (read) => this.#put(read, inScope),
      remove: (ofNamespace, name) => {
        const key = keyOf(ofNamespace, name);
        if (inScope(key) && this.#known.remove(key)) {
          this.#changed();
        }
      },
      served: (version) => scope.serve(version),
      heard: () => {
        if (emptied !== null) {
          // Until a second list, what is known is not what the source says.
          this.#fail(scope, emptiedTrouble, emptied.retryAt);
          return;
        }
        if (scope.hear()) {
          this.#tell();
        }
        this.#copy.heard();
      },
      failed: (trouble, retryAt) => this.#fail(scope, trouble, retryAt),
    };
  }

  #fail(scope: ScopeState, trouble: SourceTrouble, retryAt: number | null): void {
    const before = scope.trouble?.code;
    if (!scope.fail(trouble, retryAt)) {
      return;
    }
    if (before !== trouble.code) {
      const { code, text } = trouble;
      this.#options.log.warn('inventory.trouble', { inventory: this.inventory, code, text });
    }
    this.#tell();
  }

  #put(read: ReadProfile, inScope: (key: string) => boolean): void {
    const key = read.ok ? keyOf(read.profile.namespace, read.profile.name) : problemKey(read);
    // A hub that is asked for one namespace has no say in another.
    if ((inScope(key) || (!read.ok && read.namespace === null)) && this.#known.put(read)) {
      this.#changed();
    }
  }

  #list(scope: {
    inScope(key: string): boolean;
    /** True: a list without most of what is known is believed. */
    emptied(): boolean;
    settled(): void;
  }): Listing {
    const listed = new Set<string>();
    // As many new ones must not hide that most of these are gone.
    const known = [...this.#known.profiles.keys()].filter(scope.inScope);
    let isOpen = true;
    this.#listings++;
    const close = () => {
      this.#listings -= isOpen ? 1 : 0;
      isOpen = false;
      if (this.#burstSince !== null) {
        this.#tell();
      }
    };
    return {
      put: (read) => {
        listed.add(read.ok ? keyOf(read.profile.namespace, read.profile.name) : problemKey(read));
        this.#put(read, scope.inScope);
      },
      complete: () => {
        const gone = known.filter((key) => !listed.has(key));
        if (gone.length * 2 > known.length && !scope.emptied()) {
          close();
          return 'emptied';
        }
        scope.settled();
        if (this.#known.removeWhere((key) => scope.inScope(key) && !listed.has(key))) {
          this.#changed();
        }
        close();
        return 'taken';
      },
      abandon: close,
    };
  }

  #changed(): void {
    this.#copy.changed();
    this.#tell();
  }

  #tell(): void {
    const { clock } = this.#options;
    this.#burstSince ??= clock.boottime();
    const longest = this.#listings > 0 ? listMilliseconds : burstMilliseconds;
    const left = this.#burstSince + longest - clock.boottime();
    const quiet = this.#listings > 0 ? longest : quietMilliseconds;
    this.#telling?.dispose();
    this.#telling = clock.after(Math.max(0, Math.min(quiet, left)), () => {
      this.#burstSince = null;
      this.#listeners.tell();
    });
  }
}
