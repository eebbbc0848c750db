import type { Disposable } from '../base/disposables.ts';
import type { Secret } from '../base/secret.ts';
import { SerialQueue } from '../base/serial-queue.ts';
import { toRefusal } from '../contract/broker-error.ts';
import { refuse } from '../contract/refusal.ts';
import type { Keychain } from '../ports/keychain.ts';
import type { Vault, VaultContent, VaultState } from '../ports/vault.ts';
import { createVault, type Protection } from './create-vault.ts';
import { createFileOperations } from './file-operations.ts';
import { forget, type OpenedGeneration, sealGeneration, withStaleSessions } from './generation.ts';
import { loadPrevious, loadVault, slotOf } from './load.ts';
import { defaultScryptCost, type ScryptCost } from './seal.ts';
import { errorOf, refusalOf, type ShutState } from './shut-state.ts';
import type { VaultChanged, VaultControl } from './vault-control.ts';
import type { VaultDependencies } from './vault-dependencies.ts';
import { VaultFiles, type Written } from './vault-files.ts';

/** `gated`: closed by a person where only the keychain protects it; key and content are still here. */
type Phase = OpenedGeneration | { kind: 'shut'; state: ShutState; gated: OpenedGeneration | null };

/** The vault of one home. Made and started by `openVault`. */
export class HomeVault implements VaultControl {
  readonly #files: VaultFiles;
  /** Null in passphrase mode. */
  readonly #keychain: Keychain | null;
  readonly #clock: VaultDependencies['clock'];
  readonly #log: VaultDependencies['log'];
  readonly #scryptCost: ScryptCost;
  /** All that reads or writes the files or changes the phase to open, one at a time. */
  readonly #queue = new SerialQueue();
  readonly #listeners = new Set<() => void>();
  #phase: Phase = { kind: 'shut', state: { kind: 'none', reason: 'it was not opened yet' }, gated: null };
  #ended = false;

  constructor({ home, keychain, passphrase, clock, log, files, scryptCost }: VaultDependencies) {
    this.#files = new VaultFiles(home, files ?? createFileOperations());
    this.#keychain = passphrase ? null : keychain;
    this.#clock = clock;
    this.#log = log;
    this.#scryptCost = scryptCost ?? defaultScryptCost;
  }

  start(passphrase: Secret | null): Promise<void> {
    return this.#queue.run(async () => {
      await this.#files.removeStale();
      await this.#load(passphrase, true);
    });
  }

  state(): VaultState {
    if (this.#phase.kind === 'shut') {
      return this.#phase.state;
    }
    const { slots, generation } = this.#phase.header;
    return { kind: 'open', slots: slots.map((slot) => slot.kind), generation };
  }

  read(): VaultContent {
    return this.#opened().content;
  }

  async update(...[next, options]: Parameters<Vault['update']>): Promise<void> {
    const opened = this.#opened();
    const both = options?.bothGenerations === true;
    await this.#queue.run(async () => {
      const changed = next(opened.content);
      if (changed !== opened.content || both) {
        await this.#write(opened, changed, (file, again) =>
          both ? this.#files.replaceBoth(file, again()) : this.#files.replace(file),
        );
      }
    });
  }

  async lock(): Promise<void> {
    const closed = [this.#close()];
    // After the writes that were accepted before: they need the key. An unlock under way is closed again.
    await this.#queue.run(async () => {
      closed.push(this.#close());
      for (const opened of closed) {
        if (opened && slotOf(opened.header, 'passphrase')) {
          forget(opened);
        }
      }
    });
  }

  unlock({ passphrase }: { passphrase?: Secret | undefined } = {}): Promise<VaultChanged> {
    return this.#queue.run(async () => {
      const phase = this.#phase;
      if (phase.kind === 'opened') {
        return { ok: true };
      }
      if (phase.gated) {
        this.#open(phase.gated);
        return this.#outcome();
      }
      const { state } = phase;
      if (state.kind === 'none') {
        return refusalOf(state);
      }
      if (state.kind === 'locked' && state.how === 'passphrase' && !passphrase) {
        return refuse(
          'locked',
          'vault.passphrase.needed',
          'the vault is opened by its passphrase',
          'run: lanyard unlock',
        );
      }
      // A file that was broken may have been moved away by hand, to begin anew; one that was locked may not.
      const wrong = await this.#load(passphrase ?? null, state.kind === 'broken');
      return wrong
        ? refuse('locked', 'vault.passphrase.wrong', 'the passphrase is wrong', 'run again: lanyard unlock')
        : this.#outcome();
    });
  }

  retry(): Promise<void> {
    return this.#queue.run(async () => {
      const state = this.state();
      if (state.kind === 'none' || state.kind === 'broken') {
        await this.#load(null, true);
      } else if (state.kind === 'locked' && state.how === 'keychain') {
        await this.#load(null, false);
      }
    });
  }

  createWithPassphrase(passphrase: Secret): Promise<VaultChanged> {
    return this.#queue.run(async () => {
      if (passphrase.isEmpty) {
        return refuse('usage', 'vault.passphrase.empty', 'an empty passphrase protects nothing');
      }
      if (this.state().kind !== 'none') {
        return refuse('usage', 'vault.exists', 'there is a vault already', 'open it with: lanyard unlock');
      }
      await this.#create({ kind: 'passphrase', passphrase, cost: this.#scryptCost });
      return this.#outcome();
    });
  }

  restorePrevious({ passphrase }: { passphrase?: Secret | undefined } = {}): Promise<VaultChanged> {
    return this.#queue.run(async () => {
      if (this.state().kind !== 'broken') {
        return refuse('usage', 'vault.notBroken', 'the vault is not broken; there is nothing to restore');
      }
      const openers = { keychain: this.#keychain, passphrase: passphrase ?? null };
      const previous = await loadPrevious(this.#files, openers);
      if (previous.kind === 'refused') {
        return previous.refusal;
      }
      const at = new Date(this.#clock.now()).toISOString().replaceAll(/[:.]/g, '-');
      const aside = `vault.damaged-${at}`;
      try {
        await this.#write(previous, withStaleSessions(previous.content), (file) =>
          this.#files.repair(file, aside),
        );
      } catch (error) {
        forget(previous);
        return toRefusal(error);
      }
      this.#log.warn('vault.restored', { generation: previous.header.generation, aside });
      this.#open(previous);
      return this.#outcome();
    });
  }

  onChange(listener: () => void): Disposable {
    this.#listeners.add(listener);
    return { dispose: () => void this.#listeners.delete(listener) };
  }

  async dispose(): Promise<void> {
    this.#listeners.clear();
    this.#ended = true;
    const phase = this.#phase;
    this.#shut({ kind: 'locked', how: 'gate', reason: 'the broker is ending' });
    const opened = phase.kind === 'opened' ? phase : phase.gated;
    await this.#queue.run(async () => {
      if (opened) {
        forget(opened);
      }
    });
  }

  /** True where the passphrase was wrong. */
  async #load(passphrase: Secret | null, mayCreate: boolean): Promise<boolean> {
    const loaded = await loadVault(this.#files, { keychain: this.#keychain, passphrase });
    switch (loaded.kind) {
      case 'opened':
        if (await this.#files.restoredByHand(loaded.header.generation)) {
          await this.#markStale(loaded);
        }
        this.#open(loaded);
        break;
      case 'missing':
        if (!mayCreate) {
          this.#shut({ kind: 'none', reason: `${this.#files.current} is gone` });
        } else if (this.#keychain) {
          await this.#create({ kind: 'keychain', keychain: this.#keychain });
        } else if (passphrase) {
          await this.#create({ kind: 'passphrase', passphrase, cost: this.#scryptCost });
        } else {
          this.#shut({ kind: 'none', reason: 'no passphrase was given' });
        }
        break;
      case 'wrongPassphrase':
        this.#shut({ kind: 'locked', how: 'passphrase', reason: loaded.reason });
        return true;
      default:
        this.#shut(loaded);
    }
    return false;
  }

  async #create(protection: Protection): Promise<void> {
    const created = await createVault(this.#files, protection, this.#clock.now());
    if (created.kind === 'opened') {
      this.#open(created);
    } else {
      this.#shut(created);
    }
  }

  /** An older generation was put back by hand: its refresh tokens may have been used since. */
  async #markStale(opened: OpenedGeneration): Promise<void> {
    const stale = withStaleSessions(opened.content);
    this.#log.warn('vault.restoredByHand', { generation: opened.header.generation });
    try {
      await this.#write(opened, stale, (file) => this.#files.replace(file));
    } catch (error) {
      // A disk that can't be written: in memory at least, and again with the next start.
      opened.content = stale;
      this.#log.warn('vault.staleNotWritten', { error });
    }
  }

  /** Writes the next generation; throws BrokerError, and memory is as the disk then. */
  async #write(
    opened: OpenedGeneration,
    content: VaultContent,
    put: (file: Buffer, again: () => Buffer) => Promise<Written>,
  ): Promise<void> {
    const header = { ...opened.header, generation: opened.header.generation + 1 };
    const sealed = sealGeneration(header, opened.dataKey, content);
    const again = () => sealGeneration(header, opened.dataKey, content).file;
    const written = await put(sealed.file, again);
    if (written.ok || written.inForce) {
      opened.header = header;
      opened.content = sealed.content;
    }
    if (!written.ok) {
      throw written.error;
    }
  }

  #opened(): OpenedGeneration {
    if (this.#phase.kind === 'shut') {
      throw errorOf(this.#phase.state);
    }
    return this.#phase;
  }

  #outcome(): VaultChanged {
    return this.#phase.kind === 'opened' ? { ok: true } : refusalOf(this.#phase.state);
  }

  #open(opened: OpenedGeneration): void {
    if (this.#ended) {
      forget(opened);
      return;
    }
    this.#log.info('vault.open', { generation: opened.header.generation });
    this.#change(opened);
  }

  /** Shuts an open vault by a person's wish; hands back what was open. */
  #close(): OpenedGeneration | null {
    const opened = this.#phase;
    if (opened.kind !== 'opened') {
      return null;
    }
    const reason = 'it was locked by a person';
    if (slotOf(opened.header, 'passphrase')) {
      this.#shut({ kind: 'locked', how: 'passphrase', reason });
    } else {
      this.#shut({ kind: 'locked', how: 'gate', reason }, opened);
    }
    return opened;
  }

  #shut(state: ShutState, gated: OpenedGeneration | null = null): void {
    this.#log[state.kind === 'broken' ? 'error' : 'info'](`vault.${state.kind}`, { ...state });
    this.#change({ kind: 'shut', state, gated });
  }

  #change(phase: Phase): void {
    this.#phase = phase;
    for (const listener of [...this.#listeners]) {
      listener();
    }
  }
}
