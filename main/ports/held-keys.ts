import type { Disposable } from '../base/disposables.ts';
import type { Refusal } from '../contract/refusal.ts';

/** A certificate whose key stays on a token (PKCS#11): the request proxy connects with it, and it is never issued. */
export interface HeldCertificate {
  /** PEM: the certificate first, then its issuers. */
  chainPem: string;
  /** It can’t be had. */
  keyPem: null;
  /** The account whose key it is: it is asked for signatures. */
  account: string;
  /** TLS’s numbers of the signature schemes (RFC 8446, section 4.2.3), the preferred first. */
  schemes: readonly number[];
}

/** The keys of accounts of kind pkcs11: each signs, and stays where it is. */
export interface HeldKeys {
  /**
   * A signature by the key of that account, by one of its schemes; ECDSA’s in DER. `message`: what is signed, not its
   * digest. Waits for a touch or a PIN pad, a minute at most. Never asks for a PIN: refused (loginNeeded) where it isn’t
   * known. Never rejects.
   */
  sign(
    account: string,
    asked: { scheme: number; message: Uint8Array },
    signal: AbortSignal,
  ): Promise<{ ok: true; signature: Buffer } | Refusal>;
  /** Called when a token was taken out, put back, or waits for its user. */
  onChange(listener: (account: string) => void): Disposable;
}
