import type { Identity } from './identity.ts';

/** Where a vendor puts its endpoints, after the origin; null: it has none, and announces none. */
export interface ProfilePaths {
  authorization: string;
  token: string;
  jwks: string;
  deviceAuthorization: string | null;
  userinfo: string;
  revocation: string | null;
  endSession: string | null;
}

/** What a provider has to say no to, or not yet. */
export type Situation =
  | 'pending'
  | 'slowDown'
  | 'declined'
  | 'codeExpired'
  /** A refresh token that was used before, and whose grace is over. */
  | 'refreshReused'
  | 'refreshExpired'
  /** A refresh token that was taken back, or that nobody knows. */
  | 'refreshEnded'
  | 'scopeRefused'
  | 'clientRejected'
  /** A public client, where only one with a secret may do this. */
  | 'secretMissing';

/** What it says then; what is left out stays as the standard says it. */
export interface Wording {
  status?: number;
  error?: string;
  description?: string;
  /** More fields of the answer. */
  more?: Readonly<Record<string, unknown>>;
}

/** What becomes of a refresh token that was rotated away and comes again. */
export interface ReusePolicy {
  /** Taken once more so long after its use; 0: never. */
  graceSeconds: number;
  /** Later: `family` ends the whole login, `refused` that request alone, `accepted` nothing. */
  after: 'family' | 'refused' | 'accepted';
}

/** How a provider behaves where the standards leave it a choice, or where it goes its own way. */
export interface ProviderProfile {
  readonly name: string;
  /** The issuer after the origin: '' is the bare origin, '/' its form with a slash. */
  readonly issuerPath: string;
  readonly paths: ProfilePaths;
  readonly announces: {
    authMethods: readonly string[];
    /** RFC 9207: the authorization answer names the issuer. */
    issParameter: boolean;
    /** RFC 8414's `code_challenge_methods_supported`. */
    pkce: boolean;
  };
  readonly accessToken: 'jwt' | 'opaque';
  /** What a refresh token is given for. `accessType` is Google's `access_type=offline`, once per consent. */
  readonly refreshToken: 'offlineAccess' | 'always' | 'accessType' | 'never';
  readonly rotates: boolean;
  readonly reuse: ReusePolicy;
  readonly refusedScopes: readonly string[];
  /** A client without a secret can't finish a device login. */
  readonly deviceNeedsSecret: boolean;
  /** The device answer names its page by this word. */
  readonly verificationField: 'verification_uri' | 'verification_url';
  /** The device answer has the page with the code filled in. */
  readonly verificationComplete: boolean;
  /** The claims in place of the plain ones; without `sub` it is the login name. */
  claims(login: string, identity: Identity, clientId: string): Readonly<Record<string, unknown>>;
  readonly wordings: Readonly<Partial<Record<Situation, Wording>>>;
  /** Put over each answer that holds tokens; null takes a field out. */
  readonly tokenAnswer: Readonly<Record<string, unknown>>;
  /** The same for answers to a refresh alone. */
  readonly refreshAnswer: Readonly<Record<string, unknown>>;
  /** Put over the discovery document; null takes a field out. */
  readonly discovery: Readonly<Record<string, unknown>>;
}

/** The `Partial` of nested objects is the caller's business: a field that is given replaces the whole field. */
export type ProfileChanges = Partial<ProviderProfile>;

/** `profile` with some of it otherwise: for the rows that no vendor stands for. */
export function changeProfile(profile: ProviderProfile, changes: ProfileChanges): ProviderProfile {
  return { ...profile, ...changes };
}
