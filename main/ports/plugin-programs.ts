import type { Refusal } from '../contract/refusal.ts';
import type { LoadedAccount } from '../domain/loaded-config.ts';

/** The program that a wrapped plugin's command resolves to, looked at again before each run. */
export interface PluginPrograms {
  /**
   * The absolute path that may be run now. `missing`: there is no such program. A refusal (notPermitted): others can
   * write it or a folder above it, or it is not the one that a person confirmed.
   */
  find(account: LoadedAccount): Promise<{ ok: true; path: string } | { ok: 'missing' } | Refusal>;
}
