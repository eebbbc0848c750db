import type { Disposable } from '../base/disposables.ts';
import type { Refusal } from '../contract/refusal.ts';
import type { CertificateLife } from '../domain/credential/certificate-life.ts';
import type { PinQuestion } from './pin-question.ts';

/** A certificate whose key stays on a token (PKCS#11): whoever connects with it asks for signatures. It is never issued. */
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

/** A key that can sign now. `life`: of its certificate; it may have ended. */
export type OpenedKey = { ok: true; certificate: HeldCertificate; life: CertificateLife } | Refusal;

/** The keys of accounts of kind pkcs11: each signs, and stays where it is. */
export interface HeldKeys {
  /** Why that account’s key can’t sign, as far as that is known; null: it can, or nobody has looked. */
  fault(account: string): Refusal | null;
  /**
   * The key of that account, opened with the PIN that is known. Never asks for one: refused (loginNeeded) where it is needed.
   * Never rejects.
   */
  open(account: string): Promise<OpenedKey>;
  /**
   * The same for a login, which may ask for the PIN; `asked`: it did. Refused where whoever logs in can’t be asked. Rejects
   * with the signal’s reason.
   */
  logIn(
    account: string,
    prompter: { askPin?(asked: PinQuestion): void },
    signal: AbortSignal,
  ): Promise<(OpenedKey & { ok: true; asked: boolean }) | Refusal>;
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
