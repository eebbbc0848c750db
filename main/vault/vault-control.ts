import type { Disposable } from '../base/disposables.ts';
import type { Secret } from '../base/secret.ts';
import type { Refusal } from '../contract/refusal.ts';
import type { SlotKind, Vault, VaultContent } from '../ports/vault.ts';
import type { NewPassphrase, NewRecoveryKey, Proof } from './slot-changes.ts';

export type VaultChanged = { ok: true } | Refusal;

/** `keychain`: set where another unlock method opened the vault, and its keychain key was missing or wrong. */
export type Unlocked =
  | { ok: true; keychain?: { repaired: true } | { repaired: false; reason: string } }
  | Refusal;

/**
 * `aside`: the new names under the home of the old vault’s files. `ways`: the unlock methods of the vault there is now.
 */
export type Replaced = { ok: true; aside: readonly string[]; ways: readonly SlotKind[] } | Refusal;

/** Decides which part of another vault’s content is taken. */
export type Admit = (content: VaultContent) => VaultContent;

/** What the user gives to open a vault. */
export type Opener = Proof;

/** The vault’s management interface, for the broker and the CLI door alone. */
export interface VaultControl extends Vault, Disposable {
  /**
   * From this call on, `read` and `update` throw; resolves when the writes under way have finished. With a passphrase
   * slot, key and content leave memory; with the keychain alone they stay, behind a gate. `reason` is shown to the
   * user.
   */
  lock(reason?: string): Promise<void>;
  /**
   * Opens a locked vault by its passphrase or recovery key, or by trying the keychain again. A gate opens on any call:
   * check first that the user asked for it. Reads the file again where it was broken. Refuses as `locked` with
   * `vault.passphrase.wrong`, `vault.passphrase.needed`, `vault.recoveryKey.wrong`, `vault.locked` or `vault.none`.
   * Wrong answers are not counted: scrypt slows them down, one at a time.
   */
  unlock(options?: Opener): Promise<Unlocked>;
  /** Makes the vault, with a passphrase slot alone, while the state is `none`. */
  createWithPassphrase(passphrase: Secret): Promise<VaultChanged>;
  /** Tries again what failed: the keychain of a locked vault, making a vault, reading a broken file. */
  retry(): Promise<void>;
  /**
   * Puts the previous generation in place of a broken file, which stays as `vault.damaged-<time>`. Every session
   * becomes stale: a refresh token in it may have been used since.
   */
  restorePrevious(options?: Opener, admit?: Admit): Promise<VaultChanged>;
  /**
   * These change the unlock methods of an open vault (else they throw `vault.locked`). A removed one opens neither
   * generation afterwards. After a failure the unlock methods are as before.
   */
  setPassphrase(next: NewPassphrase): Promise<VaultChanged>;
  changePassphrase(proof: Proof, next: NewPassphrase): Promise<VaultChanged>;
  /** Refuses with `vault.slots.last` where nothing but the passphrase could open the vault afterwards. */
  removePassphrase(proof: Proof): Promise<VaultChanged>;
  addRecoveryKey(next: NewRecoveryKey): Promise<VaultChanged>;
  /** Refuses with `vault.passphrase.wrong`, or `vault.passphrase.none` where the vault has none. */
  checkPassphrase(passphrase: Secret): Promise<VaultChanged>;
  /**
   * Writes a copy for another machine, or for after a reset: its own vault, with a passphrase alone. Its sessions are
   * stale: two users of one refresh token end it for both. `path` is absolute; an existing file is never replaced.
   */
  exportTo(path: string, passphrase: Secret): Promise<VaultChanged>;
  /**
   * Puts the content of another vault’s file, an export or one set aside, in place of the present one, whose files stay
   * under other names. An open vault keeps its unlock methods; else the keychain, or the passphrase in `options`, opens
   * the new one. Every session becomes stale. Approvals are that vault’s, as far as `admit` lets them.
   */
  restoreFrom(path: string, options?: Opener, admit?: Admit): Promise<Replaced>;
  /**
   * Makes a new, empty vault in place of one that isn’t open, whose files stay under other names. Nothing is approved
   * in it. The keychain opens it, or `passphrase` where the keychain can’t be used; refuses with
   * `vault.passphrase.needed` without either.
   */
  reset(options?: { passphrase?: Secret | undefined }): Promise<Replaced>;
  /** Called after each change between none, open, locked and broken. */
  onChange(listener: () => void): Disposable;
  /** Called after each update that is on disk. */
  onUpdated(listener: () => void): Disposable;
  /** Waits for writes, then removes key and content from memory. */
  dispose(): Promise<void>;
}
