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
      /** A person has to log in before it is of use. */
      needsLogin: boolean;
      notes: readonly string[];
    }
  /** It stays as it is: why. */
  | { ok: false; left: string };

/** What accounts are made with, besides the user. */
export interface AccountSources {
  /** CA files that providers are checked by, by absolute path (`authorityFilesOf`). */
  authorityFiles: ReadonlyMap<string, NamedFile<string>>;
  /** What `~` stands for in kubelogin's flags. */
  homeDirectory: string;
  /** Milliseconds since 1970. */
  now: number;
  /** The caller's PATH, absolute folders alone, for plugins; null: it isn't known, or is another machine's. */
  searchPath: string | null;
  programOf: ProgramsOf;
}

export function left(reason: string): MadeAccount {
  return { ok: false, left: reason };
}
