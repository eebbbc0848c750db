import type { Disposable } from '../base/disposables.ts';
import type { Secret } from '../base/secret.ts';
import type { Refusal } from '../contract/refusal.ts';
import type { SlotKind, Vault, VaultContent } from '../ports/vault.ts';
import type { NewPassphrase, NewRecoveryKey, Proof } from './slot-changes.ts';

export type VaultChanged = { ok: true } | Refusal;

/** `keychain`: what came of a keychain slot whose key was lost, after another way opened the vault. */
export type Unlocked =
  | { ok: true; keychain?: { repaired: true } | { repaired: false; reason: string } }
  | Refusal;

/** `aside`: the files' names under the home that the vault had; `ways`: what opens the one there is now. */
export type Replaced = { ok: true; aside: readonly string[]; ways: readonly SlotKind[] } | Refusal;

/** What of another vault's content is taken. */
export type Admit = (content: VaultContent) => VaultContent;

/** What a person has in hand to open a vault. */
export type Opener = Proof;

/** The vault's management face, for the broker and the cli door alone. */
export interface VaultControl extends Vault, Disposable {
  /**
   * From this call on `read` and `update` refuse; resolves when the writes under way have ended. With a
   * passphrase slot the key and the content leave memory; with the keychain alone it is a gate. `reason` is for
   * people: why it was locked.
   */
  lock(reason?: string): Promise<void>;
  /**
   * Opens a locked vault: by its passphrase or recovery key, the keychain by trying it again, a gate because it is
   * asked. Looks at the file again where it was broken. Whether a person asked is the caller's business. Refuses as
   * `locked` with `vault.passphrase.wrong`, `vault.passphrase.needed`, `vault.recoveryKey.wrong`, `vault.locked`
   * or `vault.none`. No wrong answer is counted: scrypt is the brake, one at a time.
   */
  unlock(options?: Opener): Promise<Unlocked>;
  /** Makes the vault, with a passphrase slot alone, while the state is `none`. */
  createWithPassphrase(passphrase: Secret): Promise<VaultChanged>;
  /** Tries what failed again: the keychain of a locked vault, a vault that could not be made, a broken file. */
  retry(): Promise<void>;
  /**
   * Takes the previous generation in the place of a broken file, which stays as `vault.damaged-<time>`. Every
   * session becomes stale: a refresh token in it may have been used since.
   */
  restorePrevious(options?: Opener, admit?: Admit): Promise<VaultChanged>;
  /**
   * Change what opens the vault, which must be open (throws `vault.locked`). What was a way in before opens neither
   * generation afterwards. Whatever fails leaves the ways as they were.
   */
  setPassphrase(next: NewPassphrase): Promise<VaultChanged>;
  changePassphrase(proof: Proof, next: NewPassphrase): Promise<VaultChanged>;
  /** Refuses where nothing but the passphrase opens the vault: the keychain must be a way in, or become one. */
  removePassphrase(proof: Proof): Promise<VaultChanged>;
  addRecoveryKey(next: NewRecoveryKey): Promise<VaultChanged>;
  /** Where the vault has a passphrase, that one must be given. */
  checkPassphrase(passphrase: Secret): Promise<VaultChanged>;
  /**
   * A copy for another machine, or for after a reset: a vault of its own with a passphrase alone. Its sessions are
   * stale: a refresh token that two use ends both. `path` is absolute; never takes the place of a file.
   */
  exportTo(path: string, passphrase: Secret): Promise<VaultChanged>;
  /**
   * Takes what is in another vault's file, an export or one set aside, in the place of the present vault, which
   * stays under another name. An open vault keeps its ways in; else the keychain, or the passphrase given, is the way
   * into the new one. Each session becomes stale, and what that vault had approved is what counts, as far as `admit` lets it.
   */
  restoreFrom(path: string, options?: Opener, admit?: Admit): Promise<Replaced>;
  /**
   * A new, empty vault in the place of one that isn't open, whose files stay under other names. Nothing counts as
   * confirmed in it. Opened by the keychain, or by `passphrase` where that can't be used; refuses with
   * `vault.passphrase.needed` where neither can.
   */
  reset(options?: { passphrase?: Secret | undefined }): Promise<Replaced>;
  /** Called after each change between none, open, locked and broken. */
  onChange(listener: () => void): Disposable;
  /** Called after each update that is on the disk: a session, a secret. */
  onUpdated(listener: () => void): Disposable;
  /** Waits for writes, then drops key and content. */
  dispose(): Promise<void>;
}
