/** What was found in the keychain. A locked keyring is `locked`, never "no such key". */
export type KeychainFound =
  | { ok: true; value: string | null }
  | { ok: false; reason: 'unavailable' | 'locked' | 'timedOut'; message: string };

export type KeychainStored =
  | { ok: true }
  | { ok: false; reason: 'unavailable' | 'locked' | 'timedOut'; message: string };

/**
 * The operating system's store for small secrets: Secret Service, macOS Keychain, Windows Credential Manager.
 * Contains the vault's key and nothing else. Calls may wait for the user (an unlock dialog): they run one at a time,
 * have a limit, and are off the hot path.
 */
export interface Keychain {
  get(service: string, name: string): Promise<KeychainFound>;
  set(service: string, name: string, value: string): Promise<KeychainStored>;
  delete(service: string, name: string): Promise<KeychainStored>;
}
