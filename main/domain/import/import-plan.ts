import type { Secret } from '../../base/secret.ts';
import type { AccountConfig } from '../../contract/config/accounts/account.ts';
import type { ClusterConfig } from '../../contract/config/cluster.ts';

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
  /** A tool left its secrets out, as kubectl config view does. */
  | 'placeholder'
  /** It has nothing that authenticates. */
  | 'anonymous'
  /** kubectl rejects it: it has two settings that exclude each other, or half of one. */
  | 'invalid';

/** A secret in plain text on this disk. No value: what and where. */
export interface PlainSecret {
  /** `token`, `client key`, `password`, `refresh token`, `client secret`, … */
  what: string;
  /** The file that contains it. */
  file: string;
  /** From 1; null: it is a separate file. */
  line: number | null;
}

/** What the account of an exec plugin runs. Nothing secret. */
export interface PlannedProgram {
  /** As config.yaml names it. */
  command: string;
  /** The absolute path that it resolves to; null: nothing that can be run, or not checked. */
  path: string | null;
  /** Where symbolic links lead from there. */
  target: string | null;
  /** Whose file that is, for display. */
  owner: string | null;
  /** SHA-256 of its content, in hex. */
  sha256: string | null;
  /** Of a script. */
  interpreter: string | null;
  args: readonly string[];
  /** `value`: it may choose what runs or is read (PATH, AWS_CONFIG_FILE); null: a secret, in the vault. */
  env: readonly { name: string; inVault: boolean; value: string | null }[];
  /** The mode that applies: IfAvailable where its version allows none. */
  interactiveMode: string;
  provideClusterInfo: boolean;
  /** How many folders its PATH has. */
  searchPathFolders: number;
}

/** What becomes of a user. */
export interface PlannedUser {
  /** Its name in the import: the kubeconfig's, with a number where a file before has one of that name. */
  user: string;
  file: string;
  line: number;
  nameInFile: string;
  kind: KubeUserKind;
  /** Its kind, for display: `static token`, `kubelogin at https://id.example.com (kubernetes)`. */
  description: string;
  becomes:
    | {
        /** Name of the account in config.yaml. */
        account: string;
        /** The same account exists already. */
        exists: boolean;
        /**
         * It exists from an earlier import of this user, which has changed since: its secrets or its program are
         * replaced.
         */
        replaces: boolean;
        /**
         * The user of this import whose new or replaced account it is, too, with the same credentials; null: its own, or
         * one that exists already.
         */
        sharedWith: string | null;
        /** It shares an account, though it may be another person: with a name of its own it gets one. */
        canSplit: boolean;
        /** See `ImportedNames`; null: nothing keeps its login apart. */
        apart: string | null;
        /** Its entry for config.yaml, without absent keys. */
        value: AccountEntry;
        /** For the vault, by part: token, certificate, key, clientSecret, env.NAME. */
        secrets: Readonly<Record<string, Secret>>;
        /** It serves nothing before a login. */
        needsLogin: boolean;
        /** The command that the user must run after the import; null: none, or the account exists. */
        next: string | null;
        /** What it runs; null: nothing. */
        program: PlannedProgram | null;
      }
    | { left: string };
  /** Plain text on this disk now. */
  plainNow: readonly PlainSecret[];
  /** What of it stays in plain text after an import in place. Without --in-place, all of it stays. */
  plainAfterInPlace: readonly PlainSecret[];
  /**
   * Contexts that use it and are not imported: in place its entry stays for them, and each imported context gets its
   * own user.
   */
  neededBy: readonly string[];
  /** Sentences that the user should read. */
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

/**
 * A cluster's entry as written into config.yaml: its address; and where it replaces another, the settings of that
 * one.
 */
export type ImportedClusterEntry = Pick<ClusterConfig, 'server' | 'account'> & Partial<ClusterConfig>;

/** What becomes of a context: each is a cluster in Lanyard, with the same name where possible. */
export interface PlannedCluster {
  /** Its name in the import, as of users. */
  context: string;
  nameInFile: string;
  /** Of the kubeconfig. */
  cluster: string;
  user: string;
  file: string;
  line: number;
  /** For display: without a user name, password or query; empty where there is none. */
  server: string;
  becomes:
    | {
        /** Name of the cluster in config.yaml. */
        cluster: string;
        exists: boolean;
        /** The previous server, for display, where an earlier import made it with another one; null: it is new. */
        replaces: string | null;
        /** Its entry for config.yaml, without absent keys. */
        value: ImportedClusterEntry;
        account: string;
        /** The context whose cluster it is; null: its own. */
        sharedWith: string | null;
        namespace: string | null;
      }
    | { left: string };
  notes: readonly string[];
}

/** Something that the user has to agree to: No leaves these contexts out. */
export interface PlanQuestion {
  kind: /** What an earlier import made of these contexts is not what they are now. */
    | 'replaces'
    /** A CA that no cluster of config.yaml has yet. */
    | 'unknownAuthority'
    /** A known cluster has this server with another CA, name or proxy. */
    | 'otherAuthority'
    /** `insecure-skip-tls-verify`, or no TLS: the user has to type yes in full. */
    | 'insecure'
    /** One OpenID token that is valid at several clusters. */
    | 'sharedAudience'
    /** Its cluster or its user is another file's, and more than one file has an entry of that name. */
    | 'mixedFiles';
  /** Contexts it is about. */
  contexts: readonly string[];
  /** The facts, for display: one line each. */
  lines: readonly string[];
  /**
   * With this kubeconfig alone kubectl does the same: no credential that Lanyard has already goes anywhere new. Of the
   * user’s own kubeconfig, a page then takes Import for a yes.
   */
  isUsual: boolean;
}

export interface ImportPlan {
  users: readonly PlannedUser[];
  clusters: readonly PlannedCluster[];
  /** No context uses them; they stay unchanged. */
  unused: { clusters: readonly string[]; users: readonly string[] };
  questions: readonly PlanQuestion[];
  /** Users with secrets that are not among `users`. */
  plainElsewhere: readonly PlainElsewhere[];
  /**
   * New accounts that request no refresh token, or do so because the user wanted it (`added`); null: none of either.
   */
  offlineAccess: { accounts: readonly string[]; added: boolean } | null;
  /** Sentences about the plan as such. */
  notes: readonly string[];
}
