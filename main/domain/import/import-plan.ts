import type { Secret } from '../../base/secret.ts';
import type { AccountConfig, ClusterConfig } from '../../contract/config/config.ts';

/** What a user of a kubeconfig is. */
export type KubeUserKind =
  | 'staticToken'
  | 'tokenFile'
  | 'clientCertificate'
  /** Legacy `auth-provider: oidc`. */
  | 'authProviderOidc'
  /** Any other legacy auth-provider: gcp, azure, … */
  | 'authProvider'
  /** kubelogin: an exec plugin whose flags say an OpenID provider. */
  | 'kubelogin'
  | 'execPlugin'
  | 'basicAuth'
  /** It runs Lanyard's helper already. */
  | 'lanyard'
  /** It says nothing that authenticates. */
  | 'anonymous'
  /** kubectl refuses it: it says two things that exclude each other, or half of one. */
  | 'invalid';

/** A secret in plain text on this disk. No value: what and where. */
export interface PlainSecret {
  /** `token`, `client key`, `password`, `refresh token`, `client secret`, … */
  what: string;
  /** The file that holds it. */
  file: string;
  /** From 1; null where it is a file of its own. */
  line: number | null;
}

/** What the account of an exec plugin runs. Nothing secret. */
export interface PlannedProgram {
  /** As config.yaml names it. */
  command: string;
  /** What it leads to, absolute; null: nothing that can be run, or nobody looked. */
  path: string | null;
  /** Where symbolic links lead from there. */
  target: string | null;
  /** A person's word for whose file that is. */
  owner: string | null;
  /** Of its content, in hex. */
  sha256: string | null;
  /** Of a script. */
  interpreter: string | null;
  args: readonly string[];
  /** `value`: it may choose what runs or is read (PATH, AWS_CONFIG_FILE); null: a secret, in the vault. */
  env: readonly { name: string; inVault: boolean; value: string | null }[];
  /** What counts: IfAvailable where its version lets it be left out. */
  interactiveMode: string;
  provideClusterInfo: boolean;
  /** How many folders its PATH has. */
  searchPathFolders: number;
}

/** What becomes of a user. */
export interface PlannedUser {
  /** Its name in the kubeconfig. */
  user: string;
  file: string;
  line: number;
  kind: KubeUserKind;
  /** A person's word for what it is: `static token`, `kubelogin at https://id.example.com (kubernetes)`. */
  description: string;
  becomes:
    | {
        /** Name of the account in config.yaml. */
        account: string;
        /** The account is there already, and the same. */
        exists: boolean;
        /** It is there from an earlier import of this user, which has changed since: its secrets, or what it runs, are replaced. */
        replaces: boolean;
        /** Its entry, as config.yaml takes it; what is not said is left out. */
        value: AccountEntry;
        /** For the vault, by part: token, certificate, key, clientSecret, env.NAME. */
        secrets: Readonly<Record<string, Secret>>;
        /** A person must do this after the import, as a command; null: nothing. */
        next: string | null;
        /** What it runs; null: nothing. */
        program: PlannedProgram | null;
      }
    | { left: string };
  /** Plain text on this disk now. */
  plainNow: readonly PlainSecret[];
  /** What of it stays in plain text after an import in place. Without --in-place all of it stays. */
  plainAfterInPlace: readonly PlainSecret[];
  /**
   * Contexts that use it and are not imported: in place its entry stays as it is for them, and each context that is
   * imported gets a user of its own.
   */
  neededBy: readonly string[];
  /** Sentences a person should read. */
  notes: readonly string[];
}

/** Secrets of a user that the plan doesn't touch: they stay in plain text. */
export interface PlainElsewhere {
  user: string;
  file: string;
  line: number;
  /** No context uses it; an earlier entry of its name hides it; the contexts that use it were not asked for. */
  why: 'unused' | 'hidden' | 'notChosen';
  plain: readonly PlainSecret[];
}

/** An account's entry as written into config.yaml. */
export type AccountEntry = { [Kind in AccountConfigKind]: { [K in Kind]: object } }[AccountConfigKind];
type AccountConfigKind = AccountConfig extends infer Each
  ? Each extends object
    ? keyof Each
    : never
  : never;

/** A cluster's entry as written into config.yaml: where it is; and where it replaces another, what was said of that. */
export type ImportedClusterEntry = Pick<ClusterConfig, 'server' | 'account'> & Partial<ClusterConfig>;

/** What becomes of a context: each is a cluster of Lanyard, of the same name where that can be. */
export interface PlannedCluster {
  context: string;
  /** Of the kubeconfig. */
  cluster: string;
  user: string;
  file: string;
  line: number;
  /** For people: without a user name, password or query; empty where there is none. */
  server: string;
  becomes:
    | {
        /** Name of the cluster in config.yaml. */
        cluster: string;
        exists: boolean;
        /** Its server for people where it is there from an earlier import and was somewhere else; null: it is new. */
        replaces: string | null;
        /** Its entry, as config.yaml takes it; what is not said is left out. */
        value: ImportedClusterEntry;
        account: string;
        namespace: string | null;
      }
    | { left: string };
  notes: readonly string[];
}

/** Something that a person has to agree to: No leaves these contexts out. */
export interface PlanQuestion {
  kind: /** What an earlier import made of these contexts is not what they are now. */
    | 'replaces'
    /** A CA that no cluster of config.yaml has yet. */
    | 'unknownAuthority'
    /** `insecure-skip-tls-verify`, or no TLS: the whole word yes is wanted. */
    | 'insecure'
    /** One OpenID token, good at several clusters. */
    | 'sharedAudience';
  /** Contexts it is about. */
  contexts: readonly string[];
  /** What is the case, for people: one line a fact. */
  lines: readonly string[];
}

export interface ImportPlan {
  users: readonly PlannedUser[];
  clusters: readonly PlannedCluster[];
  /** No context uses them; they stay as they are. */
  unused: { clusters: readonly string[]; users: readonly string[] };
  questions: readonly PlanQuestion[];
  /** Users with secrets that are not among `users`. */
  plainElsewhere: readonly PlainElsewhere[];
  /** New accounts that ask for no refresh token, or do because a person wanted it (`added`); null: none are either. */
  offlineAccess: { accounts: readonly string[]; added: boolean } | null;
  /** Sentences about the whole. */
  notes: readonly string[];
}
