import type { Secret } from '../base/secret.ts';
import type { Refusal } from '../contract/refusal.ts';

/** What a door hands out. At least a token, or a certificate with its key, is there. */
export interface Credential {
  token: Secret | null;
  certificate: { chainPem: string; keyPem: Secret } | null;
  /** When it became valid; milliseconds since 1970; null where it doesn't say. */
  issuedAt: number | null;
  /** When it ends; null where it has no end (E03). */
  expiresAt: number | null;
}

export type Obtained = { ok: true; credential: Credential } | Refusal;

/** What a person sees while a login runs. */
export interface LoginPrompter {
  /** RFC 8628: shown to the one who asked for the login, nobody else. */
  showDeviceCode(code: {
    verificationUri: string;
    verificationUriComplete: string | null;
    userCode: string;
    expiresInSeconds: number;
  }): void;
}

export type LoggedIn = { ok: true; subject: string; displayName: string; issuer: string } | Refusal;

/** What `lanyard status` and the list of accounts show. Holds no secret. */
export interface AccountState {
  kind: 'oidc' | 'staticToken' | 'clientCertificate';
  /** ready: a credential can be had without a person. */
  state: 'ready' | 'loginNeeded' | 'secretMissing' | 'interrupted' | 'locked' | 'invalid';
  /** As whom: the person's name at the provider, the certificate's subject. */
  subject: string | null;
  issuer: string | null;
  /** End of what is held now; milliseconds since 1970. */
  expiresAt: number | null;
  /** One sentence where something is wrong. */
  problem: string | null;
}

/** One configured account. Made anew whenever its configuration changes; holds no timers of its own. */
export interface Account {
  readonly name: string;
  readonly kind: AccountState['kind'];
  /** What is held now, without asking anyone. Null where there is nothing. */
  held(): Promise<Obtained | null>;
  /** A credential newer than the one held: asks the provider, reads the file again. Never asks a person. */
  renew(signal: AbortSignal): Promise<Obtained>;
  /** Where the kind knows one: asks a person to log in. Single flight is the caller's business. */
  login?(prompter: LoginPrompter, signal: AbortSignal): Promise<LoggedIn>;
  /** Forgets the session in both generations of the vault. True where there was one. */
  logout?(): Promise<boolean>;
  state(): Promise<AccountState>;
}
