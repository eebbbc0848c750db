/** A question to the kubelet’s own code (test/support/kubelet/credential-provider) and to Lanyard’s rules. */
export type Question =
  | { op: 'normalise'; image: string }
  | { op: 'match'; pattern: string; image: string }
  /** The `auth` keys of each provider, in order. */
  | { op: 'lookup'; keys: readonly (readonly string[])[]; image: string }
  | { op: 'config'; files: Files }
  | { op: 'session'; files: Files; steps: readonly Step[] };

/** By name: several are a folder's. */
export type Files = Readonly<Record<string, string>>;

/** A pull, and what the providers' plugins print at it. */
export interface Step {
  /** Milliseconds since the start. */
  at: number;
  image: string;
  /** By the provider's name. */
  prints: Readonly<Record<string, string>>;
  /** None: a pod without a service account. */
  serviceAccount?: string;
  uid?: string;
  token?: string;
  annotations?: Readonly<Record<string, string>>;
}

/** Their answers, as JSON. An error is empty where there is none. */
export interface Answers {
  normalise: { name: string; tag: string; digest: string; error: string };
  match: { matched: boolean; error: string };
  /** The user names of the credentials, `PROVIDER.KEY`, in the order in which they are tried. */
  lookup: string[];
  config: { error: string; hash: string; providers: ConfigAnswer[] | null };
  session: { error: string; steps: StepAnswer[] | null };
}

export interface ConfigAnswer {
  name: string;
  matchImages: readonly string[];
  /** Milliseconds. */
  defaultCache: number;
  apiVersion: string;
  args: readonly string[];
  env: readonly (readonly [name: string, value: string])[];
  tokenAttributes: {
    audience: string;
    cacheType: string;
    required: boolean;
    keys: readonly string[];
    optional: readonly string[];
  } | null;
}

export interface StepAnswer {
  providers: {
    /** What the plugin read; null: it did not run. */
    request: string | null;
    error: string;
    auth: Record<string, readonly [userName: string, password: string]>;
  }[];
  found: string[];
  /** How many answers each provider's cache has. */
  cached: number[];
}

export type Answer = Answers[Question['op']];
