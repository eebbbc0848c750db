import type { Secret } from '../../base/secret.ts';
import type { ProgramsOf } from '../program/program.ts';
import type { AccountEntry } from './import-plan.ts';
import type { NamedFile } from './kubeconfig.ts';

/** A user as an account of config.yaml, before it has a name. */
export type MadeAccount =
  | {
      ok: true;
      value: AccountEntry;
      /** For the vault, by part. */
      secrets: Readonly<Record<string, Secret>>;
      /** The certificates of the provider's CA; null: the system's. */
      authorityPem: string | null;
      /** The user has to log in before it can be used. */
      needsLogin: boolean;
      /** What keeps its login apart from others of the same provider and client, by what says so. */
      apart?: Readonly<Record<string, string>>;
      /** Its scope offline_access is the user’s wish, not the kubeconfig’s. */
      addedScope?: true;
      notes: readonly string[];
    }
  /** Why it stays unchanged. */
  | { ok: false; left: string };

/** What accounts are made with, besides the user. */
export interface AccountSources {
  /** CA files for providers, by absolute path (`authorityFilesOf`). */
  authorityFiles: ReadonlyMap<string, NamedFile<string>>;
  /** What `~` stands for in kubelogin's flags. */
  homeDirectory: string;
  /** Milliseconds since 1970. */
  now: number;
  /** The caller's PATH for plugins, only absolute folders; null: unknown, or another machine's. */
  searchPath: string | null;
  programOf: ProgramsOf;
}

export function left(reason: string): MadeAccount {
  return { ok: false, left: reason };
}
