import type { Secret } from '../base/secret.ts';
import type { Refusal } from '../contract/refusal.ts';
import type { BackoffShape } from '../domain/backoff.ts';
import type { AwsKeys } from '../domain/credential/aws-keys.ts';
import type { ToldProxy } from '../domain/server/exec-credential.ts';
import type { Target, TargetName } from '../domain/target/target.ts';
import type { Advice } from '../domain/text/advice.ts';
import type { Observation } from '../domain/text/finding.ts';
import type { BrowserProgram } from './browser.ts';
import type { Caller } from './caller.ts';
import type { HeldCertificate } from './held-keys.ts';
import type { Revocation } from './history.ts';
import type { PinQuestion } from './pin-question.ts';
import type { ProgramRunner } from './program-runner.ts';
import type { Terminal } from './terminal.ts';

/** What a door issues: a token, a certificate with its key, or a password. */
export interface Credential {
  token: Secret | null;
  certificate: CertificateWithKey | HeldCertificate | null;
  /**
   * A user name with its password (RFC 7617), for a registry. Absent: none. Null: a provider plugin has none for the
   * image that was asked for.
   */
  password?: { userName: string; password: Secret } | null | undefined;
  /** AWS keys, which sign requests; they are never issued themselves. Absent: none. */
  awsKeys?: AwsKeys | undefined;
  /** The proxy that a wrapped plugin started for the client (KEP-2718); token and certificate are for it. Absent: none. */
  proxyConfig?: ToldProxy | undefined;
  /** It is for the image that was asked for: another image of the registry may have another. Absent: for all. */
  isForImage?: boolean | undefined;
  /** When it became valid, in milliseconds since 1970; null: unknown. */
  issuedAt: number | null;
  /** When it expires, in milliseconds since 1970; null: never (KEP-541/expiry). */
  expiresAt: number | null;
  /**
   * A plugin’s credential without an expiry: clients are told none, and Lanyard applies its own rule for how long to
   * cache it.
   */
  noExpiry?: NoExpiry | undefined;
}

/** PEM, in the order that TLS needs. */
export interface CertificateWithKey {
  chainPem: string;
  keyPem: Secret;
}

/** Of a credential without a promised expiry, such as a plugin’s. */
export interface NoExpiry {
  /**
   * The expiry that the token or certificate states, in milliseconds since 1970. For display only: it is no promise.
   */
  ownExpiry: number | null;
  /** The clients that it is cached for, as `Asking.client` names them (KEP-541: for a client's life); null: for all. */
  onlyFor: readonly string[] | null;
}

export type Obtained = { ok: true; credential: Credential } | Refusal;

/** How the user wants to log in. */
export interface LoginWish {
  /**
   * The requested flow; null: as the account says. `paste`: in a browser elsewhere, whose last address the user
   * pastes.
   */
  flow: 'browser' | 'device' | 'paste' | null;
  /** The requester is at this machine, and sees a browser that opens on its display. */
  atThisMachine: boolean;
  /** The requester can pass on the last address of a browser elsewhere (`bring`); absent: they can't. */
  canBring?: boolean;
}

/** What the user sees while a login runs. */
export interface LoginPrompter {
  /**
   * A browser login has begun. `opened`: the page should be on the display by now; `url` is for users who don't see
   * it. Shown only to the one who asked for the login.
   */
  showBrowserPage(page: {
    url: string;
    opened: boolean;
    /** The account's own browser (`browser` in config.yaml) that could not be started; null: none failed. */
    failed: string | null;
    /** Why the page probably shows an error instead of a login, and what helps; null: unknown. */
    trouble: string | null;
    expiresInSeconds: number;
    /**
     * Takes the address that the provider sent a browser elsewhere to, as the user copied it. False: it isn't of this
     * login, which goes on.
     */
    bring(address: Secret): boolean;
    /** Aborts when the login no longer waits for an address. */
    over: AbortSignal;
  }): void;
  /** RFC 8628: shown only to the one who asked for the login. */
  showDeviceCode(code: {
    verificationUri: string;
    verificationUriComplete: string | null;
    userCode: string;
    expiresInSeconds: number;
  }): void;
  /** A token wants its PIN: asked only of the one who asked for the login. Absent: they can’t be asked. */
  askPin?(asked: PinQuestion): void;
}

export type LoggedIn =
  | {
      ok: true;
      subject: string;
      displayName: string;
      issuer: string;
      flow: 'browser' | 'device' | 'clientCredentials' | 'pin';
      /** One sentence that the user should know, such as that no refresh token was given; null: all is well. */
      note: string | null;
    }
  | Refusal;

export interface LoggedOut {
  hadSession: boolean;
  /** What became of the tokens at the provider (RFC 7009). */
  revocation: Revocation;
  /** The provider's page that ends its own session in the browser too (RP-initiated logout); null: none. */
  endSessionUrl: string | null;
  /** The browser for the account's pages; absent: the system's. */
  browser?: BrowserProgram | undefined;
}

/** What `lanyard status` and the list of accounts show. Contains no secret. */
export interface AccountState {
  kind:
    | 'oidc'
    | 'staticToken'
    | 'clientCertificate'
    | 'execPlugin'
    | 'registry'
    | 'credentialProvider'
    | 'credentialHelper'
    | 'secretReader'
    | 'kubeconfigSecretReader'
    | 'aws'
    | 'awsProcess'
    | 'awsEks'
    | 'requestSigner'
    | 'pkcs11';
  /**
   * ready: a credential can be obtained without the user. failing: none can be now: its plugin or provider failed.
   * expired: a token or certificate that the user sets has expired; no login gives another.
   */
  state:
    | 'ready'
    | 'failing'
    | 'loginNeeded'
    | 'secretMissing'
    | 'expired'
    | 'interrupted'
    | 'locked'
    | 'invalid';
  /** The identity: the user's name at the provider, or the certificate's subject. */
  subject: string | null;
  issuer: string | null;
  /** Expiry of the current credential; milliseconds since 1970. */
  expiresAt: number | null;
  /** When the current credential became valid; milliseconds since 1970. Absent: unknown. */
  issuedAt?: number | null | undefined;
  /** One sentence where something is wrong. */
  problem: string | null;
  /** `secretMissing`: which of its secrets; absent: all that are needed. */
  missing?: string | undefined;
  /**
   * The current credential isn't renewed automatically: when it expires, the user has to act. Absent: as usual for
   * its kind.
   */
  byHand?: boolean | undefined;
  /** How far this machine's clock is before (+) or behind (−) the provider's, in seconds, where that is known and matters. */
  clockOffSeconds?: number | undefined;
  /** Its token waits for a touch, or a PIN at its pad. Absent: no. */
  waitsAtToken?: boolean | undefined;
  /** Its token was taken out while it was in use, and isn’t back. Absent: no. */
  tokenIsOut?: boolean | undefined;
}

/** A service account of a cluster, as a request has it: both parts are unverified. */
export interface ServiceAccount {
  token: Secret;
  annotations: ReadonlyMap<string, string>;
}

/** What of a request may shape a credential. */
export interface CredentialRequest {
  target: Target;
  caller: Caller;
  /**
   * Identifies the client by its process and what it said: equal for the same client (rule: inferred-401). Null:
   * unknown.
   */
  client: string | null;
  /** The caller and the processes above it, nearest first. */
  ancestors(): readonly { pid: number; startTime: string }[];
  terminal: Pick<Terminal, 'environment'>;
  /**
   * The image that a registry’s credential is for, with registry and path, without tag and digest; for docker, which
   * names no image, the registry and the pattern’s path. Absent: the target is no registry.
   */
  image?: string | undefined;
  /** The server as docker named it, where no registry of config.yaml matches; absent: the image’s registry. */
  server?: string | undefined;
  /** The file whose lock the client holds (KEP-2718/lock), where no proxy of Lanyard’s serves it. Absent: none. */
  lockFile?: string | undefined;
  /** What a kubelet passes on of the pod that needs the image (KEP-4412). Absent: nothing. */
  serviceAccount?: ServiceAccount | undefined;
}

/** A caller that waits for a renewal. */
export interface Attendant {
  /** As in `Asking`. */
  client: string | null;
  /** The target that it asks for; null: unknown. */
  target: TargetName | null;
  /** Lends its terminal, or at least its process, to a plugin; null: it can't run anything. */
  runner: ProgramRunner | null;
  /** The client passed on standard input, and it is a terminal: a plugin may ask the user there. */
  interactive: boolean;
  /** Shows the output of a plugin that ran elsewhere. */
  print(text: string): void;
  /** Aborts when the caller is gone. */
  signal: AbortSignal;
}

/** What of a request shaped a credential. */
export interface Shape {
  key: string;
  target: TargetName | null;
  /** The caller's variables that reach its plugin; absent: none can. */
  variables?: readonly (readonly [name: string, value: Secret])[] | undefined;
}

/** One configured account. Replaced whenever its configuration changes; has no timers. */
export interface Account {
  readonly name: string;
  readonly kind: AccountState['kind'];
  /**
   * Where a request shapes the credential: the account as it serves such requests. Returns the same object for the
   * same shape.
   */
  shapedBy?(asking: CredentialRequest): Promise<{ ok: true; account: Account } | Refusal>;
  /** What shaped it; each shape has its own grants. Absent: nothing shaped it. */
  readonly shape?: Shape | undefined;
  /** Forgets what its callers brought, such as values of variables: it was logged out, or Lanyard is locked. */
  forgetShapes?(): void;
  /** It keeps no credential: only the grants keep what `renew` gave, in memory. */
  readonly keepsNothing?: boolean | undefined;
  /**
   * What `renew` gives is passed on to those who wait for it, and kept by nobody: it is not renewed ahead of need, and
   * no 401 is inferred of it.
   */
  readonly isPassedOn?: boolean | undefined;
  /** What `renew` gives is for the target’s audience already. Absent: it is exchanged for one that is. */
  readonly givesAudience?: boolean | undefined;
  /** Whether it is renewed ahead of need, without a caller; absent: yes. */
  readonly renewsAhead?: boolean | undefined;
  /** Waits between attempts without the user, where they differ from the usual ones. */
  readonly backoff?: BackoffShape | undefined;
  /** How long one renewal may take, in milliseconds, where that is more than a provider's answer. */
  readonly renewalLimitMilliseconds?: number | undefined;
  /** A caller waits for the renewal, until the returned function is called. */
  attend?(attendant: Attendant): () => void;
  /** The current credential, without asking anyone. Null: none. */
  current(): Promise<Obtained | null>;
  /** A credential newer than the current one: asks the provider, or reads the file again. Never asks the user. */
  renew(signal: AbortSignal): Promise<Obtained>;
  /**
   * Exchanges `subject`, a credential of this account, for one that is valid for `audience` (RFC 8693). Keeps
   * nothing. Absent: the kind can't.
   */
  exchange?(subject: Credential, audience: string, signal: AbortSignal): Promise<Obtained>;
  /** How the user replaces the credential of an account without logins. */
  readonly replacedBy?: Advice | undefined;
  /** Asks the user to log in; absent: the kind has no login. The caller makes sure that only one runs at a time. */
  login?(prompter: LoginPrompter, wish: LoginWish, signal: AbortSignal): Promise<LoggedIn>;
  /** Its login asks at the terminal of its requester, and opens no page (rule: no-storms). */
  readonly asksAtTerminal?: boolean | undefined;
  /** A program without a terminal may open the login page (rule: no-storms). */
  readonly loginWithoutTerminal?: boolean | undefined;
  /**
   * Forgets the session in both generations of the vault first, calls `onForgotten`, and then tells the provider,
   * within a few seconds. `isHere`: the provider isn't told, as its address isn't approved.
   */
  logout?(onForgotten?: () => void, options?: { isHere?: boolean }): Promise<LoggedOut>;
  state(): Promise<AccountState>;
  /**
   * Checks all that the account depends on, for `lanyard doctor`: the provider's discovery, clocks, files, the
   * current credential and its life. Uses no secret, doesn't ask the user, changes nothing.
   */
  examine?(signal: AbortSignal): Promise<readonly Observation[]>;
  /**
   * What the user wants to know when they set the account up; absent: `examine` says it. Uses no secret, runs
   * nothing, doesn't ask the user, changes nothing.
   */
  survey?(signal: AbortSignal): Promise<readonly Observation[]>;
}
