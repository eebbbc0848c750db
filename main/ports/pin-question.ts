import type { Secret } from '../base/secret.ts';

/** A token’s question for its PIN (PKCS#11). */
export interface PinQuestion {
  /** The account with the token; a login of another one may need its key. */
  account: string;
  /** The token’s label and maker, as it says them: untrusted. */
  token: string;
  /** What it says of wrong PINs: one was given since the last good one, or the next one locks it. Null: nothing. */
  tries: 'low' | 'final' | null;
  /** It has a pad of its own, where the PIN is typed: nothing is to be asked here, but said. */
  atPad: boolean;
  /** Gives the PIN, once; null: the user doesn’t. */
  take(pin: Secret | null): void;
  /** Aborts when the login no longer waits for it. */
  over: AbortSignal;
}
