import type { Disposable } from '../base/disposables.ts';
import type { Secret } from '../base/secret.ts';
import { SerialQueue } from '../base/serial-queue.ts';
import { toRefusal } from '../contract/broker-error.ts';
import { type Refusal, refuse } from '../contract/refusal.ts';
import { timeInName } from '../domain/text/time-in-name.ts';
import type { Keychain } from '../ports/keychain.ts';
import type { Vault, VaultContent, VaultState } from '../ports/vault.ts';
import { emptyContent } from './content.ts';
import { createVault, type Protection } from './create-vault.ts';
import { createFileOperations } from './file-operations.ts';
import { forget, type OpenedGeneration, withStaleSessions } from './generation.ts';
import { loadOther, loadPrevious, loadVault, type Openers, slotOf, waysOf } from './load.ts';
import { passphraseFault } from './passphrase-rules.ts';
import { parseRecoveryKey } from './recovery-key.ts';
import { exportVault, type ReplaceDeps, replaceContent, replaceVault } from './replace-vault.ts';
import { type PassphraseKdf, scryptKdf } from './seal.ts';
import { refusalOf } from './shut-state.ts';
import {
  addingRecoveryKey,
  changingPassphrase,
  type NewPassphrase,
  type NewRecoveryKey,
  type Proof,
  recoveryKeyTypo,
  refusalOfProof,
  removingPassphrase,
  repairingKeychain,
  type SlotChange,
  settingPassphrase,
} from './slot-changes.ts';
import type { Admit, Opener, Replaced, Unlocked, VaultChanged, VaultControl } from './vault-control.ts';
import type { VaultDependencies } from './vault-dependencies.ts';
import { VaultFiles } from './vault-files.ts';
import { howToOpen, VaultPhase } from './vault-phase.ts';
import { writeGeneration, writeSlots } from './write-generation.ts';

const asItIs: Admit = (content) => content;

/** The vault of one home. Made and started by `openVault`. */
export class HomeVault implements VaultControl {
  readonly #files: VaultFiles;
  /** Null in passphrase mode. */
  readonly #keychain: Keychain | null;
  readonly #clock: VaultDependencies['clock'];
  readonly #log: VaultDependencies['log'];
  readonly #kdf: PassphraseKdf;
  /** Runs whatever reads or writes the files, or opens the vault, one at a time. */
  readonly #updateListeners = new Set<() => void>();
  readonly #queue = new SerialQueue();
  readonly #phase: VaultPhase;

  constructor({ home, keychain, passphrase, clock, log, files, kdf }: VaultDependencies) {
    this.#files = new VaultFiles(home, files ?? createFileOperations());
    this.#keychain = passphrase ? null : keychain;
    this.#clock = clock;
    this.#log = log;
    this.#phase = new VaultPhase(log);
    this.#kdf = kdf ?? scryptKdf;
  }

  start(passphrase: Secret | null, fault: string | null): Promise<void> {
    return this.#queue.run(async () => {
      await this.#files.removeStale();
      await this.#load(this.#openers({ passphrase: passphrase ?? undefined }), true);
      const state = this.state();
      if (fault !== null && state.kind === 'locked' && state.how === 'passphrase') {
        this.#phase.shut({ ...state, reason: fault });
      }
    });
  }

  state(): VaultState {
    return this.#phase.state();
  }

  hasRegistryLogin(serverKey: string): boolean {
    return this.#phase.hasRegistryLogin(serverKey);
  }

  read(): VaultContent {
    return this.#phase.opened().content;
  }

  async update(...[next, options]: Parameters<Vault['update']>): Promise<void> {
    const opened = this.#phase.opened();
    const both = options?.bothGenerations === true;
    await this.#queue.run(async () => {
      const changed = next(opened.content);
      if (changed !== opened.content || both) {
        await writeGeneration(opened, changed, (file, again) =>
          both ? this.#files.replaceBoth(file, again()) : this.#files.replace(file),
        );
        for (const listener of [...this.#updateListeners]) {
          listener();
        }
      }
    });
  }

  async lock(reason = 'it was locked by you'): Promise<void> {
    const closed = this.#phase.close(reason);
    // After the writes that were accepted before: they need the key. Then closes what an unlock opened meanwhile.
    await this.#queue.run(async () => {
      const last = this.#phase.close(reason) ?? closed;
      if (last && howToOpen(last) !== this.#phase.how()) {
        // One of those writes changed the unlock methods.
        this.#phase.closeAs(last, reason);
      }
      for (const opened of [closed, last]) {
        if (opened && slotOf(opened.header, 'passphrase')) {
          forget(opened);
        }
      }
    });
  }

  unlock(opener: Opener = {}): Promise<Unlocked> {
    return this.#queue.run(async () => {
      const phase = this.#phase.now;
      if (phase.kind === 'opened') {
        return { ok: true };
      }
      if (phase.gated) {
        this.#phase.open(phase.gated);
        return this.#phase.outcome();
      }
      const { state } = phase;
      if (state.kind === 'none') {
        return refusalOf(state);
      }
      const openers = this.#openers(opener);
      if (!openers) {
        return recoveryKeyTypo();
      }
      const hasSecret = openers.passphrase !== null || openers.recoveryKey !== null;
      if (state.kind === 'locked' && state.how === 'passphrase' && !hasSecret) {
        const { hint } = refusalOf(state);
        return refuse('locked', 'vault.passphrase.needed', 'the vault is opened by its passphrase', hint);
      }
      const wrong = await this.#load(openers, false);
      if (wrong) {
        return wrong;
      }
      const outcome = this.#phase.outcome();
      return outcome.ok && hasSecret ? this.#repairKeychain() : outcome;
    });
  }

  retry(): Promise<void> {
    return this.#queue.run(async () => {
      const state = this.state();
      if (state.kind === 'none' || state.kind === 'broken') {
        await this.#load(this.#openers({}), true);
      } else if (state.kind === 'locked' && state.how === 'keychain') {
        await this.#load(this.#openers({}), false);
      }
    });
  }

  createWithPassphrase(passphrase: Secret): Promise<VaultChanged> {
    return this.#queue.run(async () => {
      const fault = passphraseFault(passphrase);
      if (fault) {
        return refuse('usage', fault.code, fault.message);
      }
      if (this.state().kind !== 'none') {
        return refuse('usage', 'vault.exists', 'there is a vault already', 'open it with: lanyard unlock');
      }
      await this.#create({ kind: 'passphrase', passphrase, kdf: this.#kdf });
      return this.#phase.outcome();
    });
  }

  restorePrevious(opener: Opener = {}, admit: Admit = asItIs): Promise<VaultChanged> {
    return this.#queue.run(async () => {
      if (this.state().kind !== 'broken') {
        return refuse('usage', 'vault.notBroken', 'the vault is not broken; there is nothing to restore');
      }
      const openers = this.#openers(opener);
      if (!openers) {
        return recoveryKeyTypo();
      }
      const previous = await loadPrevious(this.#files, openers);
      if (previous.kind === 'refused') {
        return previous.refusal;
      }
      const aside = `vault.damaged-${timeInName(this.#clock.now())}`;
      try {
        await writeGeneration(previous, admit(withStaleSessions(previous.content)), (file) =>
          this.#files.repair(file, aside),
        );
      } catch (error) {
        forget(previous);
        return toRefusal(error);
      }
      this.#log.warn('vault.restored', { generation: previous.header.generation, aside });
      this.#phase.open(previous);
      return this.#phase.outcome();
    });
  }

  setPassphrase(next: NewPassphrase): Promise<VaultChanged> {
    return this.#changeSlots(settingPassphrase(next));
  }

  changePassphrase(proof: Proof, next: NewPassphrase): Promise<VaultChanged> {
    return this.#changeSlots(changingPassphrase(proof, next));
  }

  removePassphrase(proof: Proof): Promise<VaultChanged> {
    return this.#changeSlots(removingPassphrase(proof));
  }

  addRecoveryKey(next: NewRecoveryKey): Promise<VaultChanged> {
    return this.#changeSlots(addingRecoveryKey(next));
  }

  checkPassphrase(passphrase: Secret): Promise<VaultChanged> {
    return this.#queue.run(
      async () =>
        (await refusalOfProof(this.#phase.opened().header, { passphrase }, this.#kdf)) ?? { ok: true },
    );
  }

  async exportTo(path: string, passphrase: Secret): Promise<VaultChanged> {
    const opened = this.#phase.opened();
    return this.#queue.run(() => exportVault(this.#replacing(), opened, path, passphrase));
  }

  restoreFrom(path: string, opener: Opener = {}, admit: Admit = asItIs): Promise<Replaced> {
    return this.#queue.run(async () => {
      const openers = this.#openers(opener);
      if (!openers) {
        return recoveryKeyTypo();
      }
      const other = await loadOther(this.#files, path, openers);
      if (other.kind === 'refused') {
        return other.refusal;
      }
      const content = admit(withStaleSessions(other.content));
      forget(other);
      const phase = this.#phase.now;
      return phase.kind === 'opened'
        ? replaceContent(this.#replacing(), phase, content)
        : this.#replaceVault(content, opener.passphrase);
    });
  }

  reset({ passphrase }: { passphrase?: Secret | undefined } = {}): Promise<Replaced> {
    return this.#queue.run(async () => {
      const { kind } = this.state();
      if (kind === 'open') {
        return refuse('usage', 'vault.open', 'the vault is open', 'lock it first: lanyard lock');
      }
      return kind === 'none'
        ? refuse('usage', 'vault.none', 'there is no vault to reset', 'make one: lanyard unlock')
        : this.#replaceVault(emptyContent, passphrase);
    });
  }

  onChange(listener: () => void): Disposable {
    return this.#phase.onChange(listener);
  }

  onUpdated(listener: () => void): Disposable {
    this.#updateListeners.add(listener);
    return { dispose: () => void this.#updateListeners.delete(listener) };
  }

  async dispose(): Promise<void> {
    const opened = this.#phase.end();
    await this.#queue.run(async () => {
      if (opened) {
        forget(opened);
      }
    });
  }

  /** Null where the recovery key has a typo. */
  #openers({ passphrase, recoveryKey }: Opener): Openers | null {
    const key = recoveryKey ? parseRecoveryKey(recoveryKey) : null;
    return recoveryKey && !key
      ? null
      : { keychain: this.#keychain, passphrase: passphrase ?? null, recoveryKey: key, kdf: this.#kdf };
  }

  /** A refusal where the user’s passphrase or recovery key is wrong; else null. The phase has the rest. */
  async #load(openers: Openers | null, mayCreate: boolean): Promise<Refusal | null> {
    if (!openers) {
      return recoveryKeyTypo();
    }
    const { passphrase } = openers;
    const loaded = await loadVault(this.#files, openers);
    switch (loaded.kind) {
      case 'opened':
        if (await this.#files.restoredByHand(loaded.header.generation)) {
          await this.#markStale(loaded);
        }
        this.#phase.open(loaded);
        break;
      case 'missing':
        if (!mayCreate) {
          this.#phase.shut({ kind: 'none', reason: `${this.#files.current} is gone` });
        } else if (this.#keychain) {
          await this.#create({ kind: 'keychain', keychain: this.#keychain });
        } else if (passphrase) {
          await this.#create({ kind: 'passphrase', passphrase, kdf: this.#kdf });
        } else {
          this.#phase.shut({ kind: 'none', reason: 'no passphrase was given' });
        }
        break;
      case 'wrong': {
        const { what, reason, ways, header } = loaded;
        this.#phase.know(header);
        // The state stays: one wrong passphrase must not end the retries of a keychain.
        if (this.state().kind !== 'locked') {
          this.#phase.shut({ kind: 'locked', how: 'passphrase', reason, ways });
        }
        const again = what === 'passphrase' ? 'lanyard unlock' : 'lanyard unlock --recovery-key';
        return refuse('locked', `vault.${what}.wrong`, reason, `run again: ${again}`);
      }
      case 'locked': {
        const { header, ...state } = loaded;
        this.#phase.know(header);
        this.#phase.shut(state);
        break;
      }
      default:
        this.#phase.shut(loaded);
    }
    return null;
  }

  async #create(protection: Protection): Promise<void> {
    const created = await createVault(this.#files, protection, this.#clock.now());
    if (created.kind === 'opened') {
      this.#phase.open(created);
    } else {
      this.#phase.shut(created);
    }
  }

  /** Writes other unlock methods to both generations, so that a removed one opens neither. */
  async #changeSlots(change: SlotChange): Promise<VaultChanged> {
    const opened = this.#phase.opened();
    return this.#queue.run(async () => {
      const plan = await change(opened, { keychain: this.#keychain, kdf: this.#kdf });
      if (!plan.ok) {
        return plan;
      }
      const failed = await writeSlots(this.#files, opened, plan);
      if (failed) {
        return failed;
      }
      this.#log.info('vault.slots', { slots: waysOf(opened.header) });
      return { ok: true };
    });
  }

  /**
   * After an unlock without the keychain of a vault that has a keychain slot: stores a new key where the old one is
   * lost.
   */
  async #repairKeychain(): Promise<Unlocked> {
    const opened = this.#phase.opened();
    const plan = this.#keychain && (await repairingKeychain(opened, this.#keychain));
    if (!plan) {
      return { ok: true };
    }
    if (!plan.ok) {
      return { ok: true, keychain: { repaired: false, reason: plan.reason } };
    }
    const failed = await writeSlots(this.#files, opened, plan);
    if (failed) {
      return { ok: true, keychain: { repaired: false, reason: failed.message } };
    }
    this.#log.info('vault.keychainRepaired', {});
    return { ok: true, keychain: { repaired: true } };
  }

  /** A new vault in place of one that isn’t open. */
  async #replaceVault(content: VaultContent, passphrase: Secret | undefined): Promise<Replaced> {
    const replaced = await replaceVault(this.#replacing(), content, passphrase);
    if (!replaced.ok) {
      return replaced;
    }
    const { opened, aside } = replaced;
    const before = this.#phase.now;
    if (before.kind === 'shut' && before.gated) {
      forget(before.gated);
    }
    this.#log.warn('vault.replaced', { aside });
    this.#phase.open(opened);
    return { ok: true, aside, ways: waysOf(opened.header) };
  }

  #replacing(): ReplaceDeps {
    return { files: this.#files, keychain: this.#keychain, kdf: this.#kdf, now: this.#clock.now() };
  }

  /** An older generation was restored by hand: its refresh tokens may have been used since. */
  async #markStale(opened: OpenedGeneration): Promise<void> {
    const stale = withStaleSessions(opened.content);
    this.#log.warn('vault.restoredByHand', { generation: opened.header.generation });
    try {
      await writeGeneration(opened, stale, (file) => this.#files.replace(file));
    } catch (error) {
      // The disk can’t be written: stale in memory at least. The next start tries to write it again.
      opened.content = stale;
      this.#log.warn('vault.staleNotWritten', { error });
    }
  }
}
