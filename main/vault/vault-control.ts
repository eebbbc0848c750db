import type { Disposable } from '../base/disposables.ts';
import type { Secret } from '../base/secret.ts';
import type { Refusal } from '../contract/refusal.ts';
import type { Vault } from '../ports/vault.ts';

export type VaultChanged = { ok: true } | Refusal;

/** The vault's management face, for the broker and the cli door alone. */
export interface VaultControl extends Vault, Disposable {
  /**
   * From this call on `read` and `update` refuse; resolves when the writes under way have ended. With a
   * passphrase slot the key and the content leave memory; with the keychain alone it is a gate.
   */
  lock(): Promise<void>;
  /**
   * Opens a locked vault: a passphrase slot by its passphrase, the keychain by trying it again, a gate because
   * it is asked. Looks at the file again where it was broken. Whether a person asked is the caller's business.
   * Refuses as `locked` with `vault.passphrase.wrong`, `vault.passphrase.needed`, `vault.locked` or `vault.none`.
   */
  unlock(options?: { passphrase?: Secret | undefined }): Promise<VaultChanged>;
  /** Makes the vault, with a passphrase slot alone, while the state is `none`. */
  createWithPassphrase(passphrase: Secret): Promise<VaultChanged>;
  /** Tries what failed again: the keychain of a locked vault, a vault that could not be made, a broken file. */
  retry(): Promise<void>;
  /**
   * Takes the previous generation in the place of a broken file, which stays as `vault.damaged-<time>`. Every
   * session becomes stale: a refresh token in it may have been used since.
   */
  restorePrevious(options?: { passphrase?: Secret | undefined }): Promise<VaultChanged>;
  /** Called after each change between none, open, locked and broken. */
  onChange(listener: () => void): Disposable;
  /** Waits for writes, then drops key and content. */
  dispose(): Promise<void>;
}
