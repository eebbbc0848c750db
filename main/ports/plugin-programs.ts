import type { Refusal } from '../contract/refusal.ts';
import type { LoadedAccount } from '../domain/loaded-config.ts';
import type { NoProgram, OtherWriter } from '../domain/program/program.ts';
import type { ProgramCheck } from '../domain/program/program-check.ts';

/** What is found there instead. */
export type MissingProgram = NoProgram & { ok: 'missing' };

/** The program that a wrapped plugin's command resolves to, checked before each run. */
export interface PluginPrograms {
  /**
   * The absolute path that may be run now, and the end of links there. `sha256`: in hex, of one that is pinned; null: it
   * wasn’t read. `missing`: there is no such program, or one that can't be run. A refusal (notPermitted): others can write it
   * or a folder above it, or it is not the approved one. Never rejects.
   */
  find(
    account: LoadedAccount,
  ): Promise<{ ok: true; path: string; target: string; sha256: string | null } | MissingProgram | Refusal>;
  /** Its state, for display; approves nothing. Throws BrokerError (reason locked) while the vault isn't open. */
  check(account: LoadedAccount): Promise<ProgramCheck>;
  /** Folders of the plugin's PATH in which others could put programs that it starts. */
  openFolders(account: LoadedAccount): Promise<readonly OtherWriter[]>;
}
