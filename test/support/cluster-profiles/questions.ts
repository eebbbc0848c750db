/** A question to the community library (test/support/go/cluster-profiles) and to Lanyard’s rules. */
export type Question =
  /** Reads a provider file. */
  | { op: 'file'; file: string }
  /** Builds the configurations of ClusterProfiles, one after the other with one provider file. */
  | { op: 'build'; file: string; profiles: readonly unknown[] }
  | { op: 'selector'; selector: string; labels: Readonly<Record<string, string>> };

export interface PluginAnswer {
  apiVersion: string;
  command: string;
  args: readonly string[];
  /** By name. */
  env: readonly (readonly [name: string, value: string])[];
  provideClusterInfo: boolean;
  interactiveMode?: string;
  config?: unknown;
}

export interface ProviderAnswer {
  name: string;
  exec: PluginAnswer | null;
  argsPolicy: string;
  envPolicy: string;
}

export interface BuiltAnswer {
  /** Empty: none. */
  error: string;
  server: string;
  /** PEM. */
  ca: string;
  proxy: string;
  exec: PluginAnswer | null;
}

/** Their answers, as JSON. Lanyard’s providers may be a name with what is wrong. */
export interface Answers {
  file: { error: string; providers: readonly (ProviderAnswer | { name: string; fault: string })[] };
  build: readonly BuiltAnswer[];
  selector: { valid: boolean; matches: boolean };
}

export type Answer = Answers[Question['op']];

/** One thing that the library does. */
export interface Row {
  name: string;
  question: Question;
  /** `allowedEnvVars`, which the library doesn’t have; all variables without it. */
  allowed?: readonly string[];
  /** In what Lanyard differs from it, on purpose; `ours` as `comparable` gives it. */
  differs?: { why: string; ours: unknown };
}
