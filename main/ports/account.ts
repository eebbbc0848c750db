import type { Secret } from '../base/secret.ts';
import type { Refusal } from '../contract/refusal.ts';
import type { BackoffShape } from '../domain/backoff.ts';
import type { Target, TargetName } from '../domain/target/target.ts';
import type { Advice } from '../domain/text/advice.ts';
import type { Observation } from '../domain/text/finding.ts';
import type { BrowserProgram } from './browser.ts';
import type { Caller } from './caller.ts';
import type { Revocation } from './history.ts';
import type { ProgramRunner } from './program-runner.ts';
import type { Terminal } from './terminal.ts';

/** What a door hands out. It has a token, a certificate with its key, or a password. */
export interface Credential {
  token: Secret | null;
  certificate: { chainPem: string; keyPem: Secret } | null;
  /** A user name with its password (RFC 7617), as a registry takes it. Not there: none. */
  password?: { userName: string; password: Secret } | undefined;
  /** When it became valid; milliseconds since 1970; null where it doesn't say. */
  issuedAt: number | null;
  /** When it ends; null where it has no end (KEP-541/expiry). */
  expiresAt: number | null;
  /** Of a plugin that named no end: what clients are told of it is nothing, and Lanyard keeps it by a rule of its own. */
  noExpiry?: NoExpiry | undefined;
}

export interface NoExpiry {
  /** The end that the token or certificate itself tells; milliseconds since 1970. For people: nobody promised it. */
  ownExpiry: number | null;
  /** The clients that it is kept for, as `Asking.client` names them (KEP-541: for a client's life); null: for all. */
  onlyFor: readonly string[] | null;
}

export type Obtained = { ok: true; credential: Credential } | Refusal;

/** How a person wants to log in. */
export interface LoginWish {
  /** What was asked for; null: as the account says. `paste`: in a browser elsewhere, whose last address they bring. */
  flow: 'browser' | 'device' | 'paste' | null;
  /** Who asks sits at this machine: a browser that opens on its display is seen by them. */
  atThisMachine: boolean;
  /** Who asks can bring the last address of a browser that runs elsewhere (`bring`); not there: they can't. */
  canBring?: boolean;
}

/** What a person sees while a login runs. */
export interface LoginPrompter {
  /**
   * A browser login has begun. `opened`: the page should be on the display by now; `url` is for those who don't
   * see it. Shown to the one who asked for the login, nobody else.
   */
  showBrowserPage(page: {
    url: string;
    opened: boolean;
    /** The account's own browser (`browser` in config.yaml) that could not be started; null: none failed. */
    failed: string | null;
    /** Why the page probably shows an error in place of a login, and what helps; null: nothing is known. */
    trouble: string | null;
    expiresInSeconds: number;
    /**
     * Takes the address that the provider sent a browser elsewhere to, as a person copied it. False where it isn't of this
     * login, which goes on.
     */
    bring(address: Secret): boolean;
    /** Aborts when the login waits for no address any longer. */
    over: AbortSignal;
  }): void;
  /** RFC 8628: shown to the one who asked for the login, nobody else. */
  showDeviceCode(code: {
    verificationUri: string;
    verificationUriComplete: string | null;
    userCode: string;
    expiresInSeconds: number;
  }): void;
}

export type LoggedIn =
  | {
      ok: true;
      subject: string;
      displayName: string;
      issuer: string;
      flow: 'browser' | 'device' | 'clientCredentials';
      /** One sentence that the person should know: no refresh token was given, so … Null: all is well. */
      note: string | null;
    }
  | Refusal;

export interface LoggedOut {
  hadSession: boolean;
  /** What became of the tokens at the provider (RFC 7009). */
  revocation: Revocation;
  /** The provider's page that ends its own session in the browser too (RP-initiated logout); null: none. */
  endSessionUrl: string | null;
  /** The browser that the account's pages are opened in; not there: the system's. */
  browser?: BrowserProgram | undefined;
}

/** What `lanyard status` and the list of accounts show. Holds no secret. */
export interface AccountState {
  kind: 'oidc' | 'staticToken' | 'clientCertificate' | 'execPlugin';
  /**
   * ready: a credential can be had without a person. failing: a wrapped plugin whose last run gave none. expired: a
   * token or certificate that a person sets has expired; no login brings another.
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
  /** As whom: the person's name at the provider, the certificate's subject. */
  subject: string | null;
  issuer: string | null;
  /** End of what is held now; milliseconds since 1970. */
  expiresAt: number | null;
  /** One sentence where something is wrong. */
  problem: string | null;
  /** `secretMissing`: which of its secrets; not there: all that count. */
  missing?: string | undefined;
  /** What is held isn't renewed by itself: at its end a person is needed. Not there: as its kind has it. */
  byHand?: boolean | undefined;
  /** How far this machine's clock is before (+) or behind (−) the provider's, in seconds, where that is known and matters. */
  clockOffSeconds?: number | undefined;
}

/** A request, as far as it may shape a credential. */
export interface CredentialRequest {
  target: Target;
  caller: Caller;
  /**
   * The client's process, and what it said: the same for the same client (rule: inferred-401). Null: nobody can tell.
   */
  client: string | null;
  /** The caller and the processes above it, nearest first. */
  ancestors(): readonly { pid: number; startTime: string }[];
  terminal: Pick<Terminal, 'environment'>;
}

/** A caller that waits for a renewal. */
export interface Attendant {
  /** As in `Asking`. */
  client: string | null;
  /** What it asks for; null: nobody said. */
  target: TargetName | null;
  /** Lends its terminal, or at least its process, to a plugin; null: it can't run anything. */
  runner: ProgramRunner | null;
  /** The client passed standard input on, and it is a terminal: a plugin may ask the person there. */
  interactive: boolean;
  /** Shows what a plugin said that ran elsewhere. */
  print(text: string): void;
  /** Aborts when the caller is gone. */
  signal: AbortSignal;
}

/** One configured account. Made anew whenever its configuration changes; holds no timers of its own. */
export interface Account {
  readonly name: string;
  readonly kind: AccountState['kind'];
  /**
   * Where a request shapes what it gets: the account as it serves such requests, the same object for the same shape.
   */
  shapedBy?(asking: CredentialRequest): Promise<{ ok: true; account: Account } | Refusal>;
  /** What shaped it; grants of another shape are another's. Not there: nothing did. */
  readonly shape?: { key: string; target: TargetName | null } | undefined;
  /** It keeps no credential itself: what `renew` gave is kept by the grants, in memory alone. */
  readonly keepsNothing?: boolean | undefined;
  /** Whether it is renewed ahead of need, without a caller; where it doesn't say: yes. */
  readonly renewsAhead?: boolean | undefined;
  /** Waits between tries without a person, where they are not the usual ones. */
  readonly backoff?: BackoffShape | undefined;
  /** How long one renewal may take where that is more than a provider's answer, in milliseconds. */
  readonly renewalLimitMilliseconds?: number | undefined;
  /** A caller waits for the renewal, until what is returned is called. */
  attend?(attendant: Attendant): () => void;
  /** What is held now, without asking anyone. Null where there is nothing. */
  current(): Promise<Obtained | null>;
  /** A credential newer than the one held: asks the provider, reads the file again. Never asks the user. */
  renew(signal: AbortSignal): Promise<Obtained>;
  /**
   * Where the kind knows it: `subject`, a credential of this account, exchanged for one that is good for
   * `audience` (RFC 8693). Keeps nothing.
   */
  exchange?(subject: Credential, audience: string, signal: AbortSignal): Promise<Obtained>;
  /** Where there is nothing to log in to: how a person replaces what it has. */
  readonly replacedBy?: Advice | undefined;
  /** Where the kind knows one: asks a person to log in. Single flight is the caller's business. */
  login?(prompter: LoginPrompter, wish: LoginWish, signal: AbortSignal): Promise<LoggedIn>;
  /** A program without a terminal may open the login page (rule: no-storms). */
  readonly loginWithoutTerminal?: boolean | undefined;
  /**
   * Forgets the session in both generations of the vault first, calls `onForgotten`, and then tells the provider,
   * within a few seconds. `isHere`: the provider is told nothing, as nobody has approved the way to it.
   */
  logout?(onForgotten?: () => void, options?: { isHere?: boolean }): Promise<LoggedOut>;
  state(): Promise<AccountState>;
  /**
   * Looks at all that the account stands on, for `lanyard doctor`: the provider's discovery, clocks, files, what is
   * held and for how long. Uses no secret, asks no person, changes nothing.
   */
  examine?(signal: AbortSignal): Promise<readonly Observation[]>;
  /**
   * What a person wants to know who sets the account up; without it `examine` says that. Uses no secret, runs nothing,
   * asks no person, changes nothing.
   */
  survey?(signal: AbortSignal): Promise<readonly Observation[]>;
}
