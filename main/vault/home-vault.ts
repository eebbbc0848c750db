import type { Disposable } from '../base/disposables.ts';
import type { Secret } from '../base/secret.ts';
import { SerialQueue } from '../base/serial-queue.ts';
import { toRefusal } from '../contract/broker-error.ts';
import { type Refusal, refuse } from '../contract/refusal.ts';
import type { Keychain } from '../ports/keychain.ts';
import type { Vault, VaultContent, VaultState } from '../ports/vault.ts';
import { emptyContent } from './content.ts';
import { createVault, makeVault, type Protection } from './create-vault.ts';
import { createFileOperations } from './file-operations.ts';
import { forget, type OpenedGeneration, sealGeneration, withStaleSessions } from './generation.ts';
import { loadOther, loadPrevious, loadVault, type Openers, slotOf, waysOf } from './load.ts';
import { passphraseFault } from './passphrase-rules.ts';
import { parseRecoveryKey } from './recovery-key.ts';
import { defaultScryptCost, type ScryptCost } from './seal.ts';
import { errorOf, refusalOf, type ShutState } from './shut-state.ts';
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
  type SlotPlan,
  settingPassphrase,
} from './slot-changes.ts';
import type { Opener, Replaced, Unlocked, VaultChanged, VaultControl } from './vault-control.ts';
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
      await this.#load(this.#openers({ passphrase: passphrase ?? undefined }), true);
    });
  }

  state(): VaultState {
    if (this.#phase.kind === 'shut') {
      return this.#phase.state;
    }
    const { slots, generation } = this.#phase.header;
    return { kind: 'open', slots: slots.map(({ kind }) => kind), generation };
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

  async lock(reason = 'it was locked by a person'): Promise<void> {
    const closed = this.#close(reason);
    // After the writes that were accepted before: they need the key. An unlock under way is closed again.
    await this.#queue.run(async () => {
      const last = this.#close(reason) ?? closed;
      if (last && this.#howToOpen(last) !== this.#how()) {
        // What was accepted before has changed what opens the vault.
        this.#shutWhole(last, reason);
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
      const openers = this.#openers(opener);
      if (!openers) {
        return recoveryKeyTypo();
      }
      const hasSecret = openers.passphrase !== null || openers.recoveryKey !== null;
      if (state.kind === 'locked' && state.how === 'passphrase' && !hasSecret) {
        const { hint } = refusalOf(state);
        return refuse('locked', 'vault.passphrase.needed', 'the vault is opened by its passphrase', hint);
      }
      // A file that was broken may have been moved away by hand, to begin anew; one that was locked may not.
      const wrong = await this.#load(openers, state.kind === 'broken');
      if (wrong) {
        return wrong;
      }
      const outcome = this.#outcome();
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
      await this.#create({ kind: 'passphrase', passphrase, cost: this.#scryptCost });
      return this.#outcome();
    });
  }

  restorePrevious(opener: Opener = {}): Promise<VaultChanged> {
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
      const aside = `vault.damaged-${this.#timeInNames()}`;
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
      async () => (await refusalOfProof(this.#opened().header, { passphrase })) ?? { ok: true },
    );
  }

  async exportTo(path: string, passphrase: Secret): Promise<VaultChanged> {
    const opened = this.#opened();
    const protection = { kind: 'passphrase', passphrase, cost: this.#scryptCost } as const;
    return this.#queue.run(async () => {
      const content = withStaleSessions(opened.content);
      // As in #replaceVault: moved into the vault's place by hand, it must not count as newly made.
      const made = await makeVault(protection, { createdAt: this.#clock.now(), generation: 2, content });
      if (!made.ok) {
        return refuse('usage', 'vault.passphrase.short', made.reason);
      }
      forget(made.opened);
      const written = await this.#files.create(made.file, path);
      return written.ok ? { ok: true } : notExported(written, path);
    });
  }

  restoreFrom(path: string, opener: Opener = {}): Promise<Replaced> {
    return this.#queue.run(async () => {
      const openers = this.#openers(opener);
      if (!openers) {
        return recoveryKeyTypo();
      }
      const other = await loadOther(this.#files, path, openers);
      if (other.kind === 'refused') {
        return other.refusal;
      }
      const content = withStaleSessions(other.content);
      forget(other);
      return this.#phase.kind === 'opened'
        ? this.#replaceContent(this.#phase, content)
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

  /** Null where the recovery key can't be one. */
  #openers({ passphrase, recoveryKey }: Opener): Openers | null {
    const key = recoveryKey ? parseRecoveryKey(recoveryKey) : null;
    return recoveryKey && !key
      ? null
      : { keychain: this.#keychain, passphrase: passphrase ?? null, recoveryKey: key };
  }

  /** Tells what was wrong of what a person gave; null where nothing was. */
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
      case 'wrong': {
        const { what, reason, ways } = loaded;
        // What would open it stays as it was known: a slip must not end the keychain's tries.
        if (this.state().kind !== 'locked') {
          this.#shut({ kind: 'locked', how: 'passphrase', reason, ways });
        }
        const again = what === 'passphrase' ? 'lanyard unlock' : 'lanyard unlock --recovery-key';
        return refuse('locked', `vault.${what}.wrong`, reason, `run again: ${again}`);
      }
      default:
        this.#shut(loaded);
    }
    return null;
  }

  async #create(protection: Protection): Promise<void> {
    const created = await createVault(this.#files, protection, this.#clock.now());
    if (created.kind === 'opened') {
      this.#open(created);
    } else {
      this.#shut(created);
    }
  }

  /** Other ways in: written to both generations, so that none that went opens either. */
  async #changeSlots(change: SlotChange): Promise<VaultChanged> {
    const opened = this.#opened();
    return this.#queue.run(async () => {
      const plan = await change(opened, { keychain: this.#keychain, cost: this.#scryptCost });
      if (!plan.ok) {
        return plan;
      }
      const failed = await this.#rewrite(opened, plan);
      if (failed) {
        return failed;
      }
      this.#log.info('vault.slots', { slots: waysOf(opened.header) });
      return { ok: true };
    });
  }

  /** Tells what was not written, if anything; memory is as the disk then. */
  async #rewrite(opened: OpenedGeneration, plan: SlotPlan): Promise<Refusal | null> {
    const before = opened.dataKey;
    const header = { ...opened.header, generation: opened.header.generation + 1, slots: plan.slots };
    // What could be read back before can be now: this doesn't throw.
    const sealed = sealGeneration(header, plan.dataKey, opened.content);
    const again = sealGeneration(header, plan.dataKey, opened.content).file;
    const written = await this.#files.replaceBoth(sealed.file, again);
    const inForce = written.ok || written.inForce;
    if (inForce) {
      opened.header = header;
      opened.dataKey = plan.dataKey;
      opened.content = sealed.content;
      await plan.onWritten?.();
    } else {
      await plan.onFailed?.();
    }
    if (before !== plan.dataKey) {
      (inForce ? before : plan.dataKey).fill(0);
    }
    return written.ok ? null : written.error.toRefusal();
  }

  /** The vault was opened without the keychain although that is a way in: its key is lost, or another's. */
  async #repairKeychain(): Promise<Unlocked> {
    const opened = this.#opened();
    const plan = this.#keychain && (await repairingKeychain(opened, this.#keychain));
    if (!plan) {
      return { ok: true };
    }
    if (!plan.ok) {
      return { ok: true, keychain: { repaired: false, reason: plan.reason } };
    }
    const failed = await this.#rewrite(opened, plan);
    if (failed) {
      return { ok: true, keychain: { repaired: false, reason: failed.message } };
    }
    this.#log.info('vault.keychainRepaired', {});
    return { ok: true, keychain: { repaired: true } };
  }

  /** The content of an open vault, which keeps its ways in. */
  async #replaceContent(opened: OpenedGeneration, content: VaultContent): Promise<Replaced> {
    const aside = await this.#files.setAside(this.#timeInNames());
    if (!aside.ok) {
      return aside.error.toRefusal();
    }
    try {
      await this.#write(opened, content, (file, again) => this.#files.replaceBoth(file, again()));
    } catch (error) {
      return toRefusal(error);
    }
    return { ok: true, aside: aside.names, ways: waysOf(opened.header) };
  }

  /** A new vault in the place of one that isn't open. */
  async #replaceVault(content: VaultContent, passphrase: Secret | undefined): Promise<Replaced> {
    // Not its first generation: what config.yaml says by now was confirmed by nobody (rule 8).
    const inside = { createdAt: this.#clock.now(), generation: 2, content };
    const byKeychain =
      this.#keychain && (await makeVault({ kind: 'keychain', keychain: this.#keychain }, inside));
    if (!byKeychain?.ok && !passphrase) {
      const reason = byKeychain?.reason ?? 'this broker was started with a passphrase file';
      const message = `the new vault needs a passphrase: ${reason}`;
      return refuse('locked', 'vault.passphrase.needed', message, 'run it at a terminal');
    }
    const made =
      byKeychain?.ok || !passphrase
        ? byKeychain
        : await makeVault({ kind: 'passphrase', passphrase, cost: this.#scryptCost }, inside);
    if (!made?.ok) {
      return refuse('usage', 'vault.passphrase.short', made?.reason ?? '');
    }
    const aside = await this.#files.setAside(this.#timeInNames());
    const written = aside.ok ? await this.#files.replaceBoth(made.file, made.again()) : aside;
    if (!written.ok) {
      await made.abandon(written);
      return written.error.toRefusal();
    }
    if (this.#phase.kind === 'shut' && this.#phase.gated) {
      forget(this.#phase.gated);
    }
    const names = aside.ok ? aside.names : [];
    this.#log.warn('vault.replaced', { aside: names });
    this.#open(made.opened);
    return { ok: true, aside: names, ways: waysOf(made.opened.header) };
  }

  /** Now, as a part of a file's name. */
  #timeInNames(): string {
    return new Date(this.#clock.now()).toISOString().replaceAll(/[:.]/g, '-');
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

  /** Shuts an open vault; hands back what was open. */
  #close(reason: string): OpenedGeneration | null {
    const opened = this.#phase;
    if (opened.kind !== 'opened') {
      return null;
    }
    this.#shutWhole(opened, reason);
    return opened;
  }

  #shutWhole(opened: OpenedGeneration, reason: string): void {
    const how = this.#howToOpen(opened);
    this.#shut({ kind: 'locked', how, reason, ways: waysOf(opened.header) }, how === 'gate' ? opened : null);
  }

  /** Once it was locked on purpose. */
  #howToOpen({ header }: OpenedGeneration): 'passphrase' | 'gate' {
    return slotOf(header, 'passphrase') ? 'passphrase' : 'gate';
  }

  #how(): string | null {
    const state = this.state();
    return state.kind === 'locked' ? state.how : null;
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

function notExported(written: Written & { ok: false }, path: string): Refusal {
  const { code, message } = written.error;
  return code === 'vault.exists'
    ? refuse('usage', code, `there is a file ${path} already`, 'say another name: nothing is overwritten')
    : refuse('internal', code, message.replace('the vault', path), written.error.hint);
}
