import type { ExecPluginConfig } from '../../contract/config/accounts/exec-plugin.ts';
import type { Refusal } from '../../contract/refusal.ts';
import type { LoadedAccount } from '../../domain/loaded-config.ts';
import { pluginSearchPath } from '../../domain/program/plugin-search-path.ts';
import type { PluginPrograms } from '../../ports/plugin-programs.ts';
import type { RunOrder } from '../../ports/program-runner.ts';
import type { Vault } from '../../ports/vault.ts';
import { ownVariables } from './own-variables.ts';
import { baseEnvironment } from './rules/base-environment.ts';
import { pluginFolder } from './rules/plugin-folder.ts';

export interface PreparedRunDeps {
  account: LoadedAccount;
  vault: Pick<Vault, 'read'>;
  programs: Pick<PluginPrograms, 'find'>;
  /** The broker’s own environment. */
  environment: Readonly<Record<string, string | undefined>>;
}

export interface PreparedProgram {
  program: Pick<ExecPluginConfig, 'args' | 'env' | 'searchPath'>;
  /** Beside the fixed base. The account’s `env` replaces them. */
  base?: Readonly<Record<string, string>> | undefined;
  /** Whatever the account’s `env` says. */
  fixed?: Readonly<Record<string, string>> | undefined;
  /** Why this program is not run; null: it is. `target`: the end of links at `path`. */
  refused?(found: { path: string; target: string }): Refusal | null;
}

type Found = Awaited<ReturnType<PluginPrograms['find']>>;

/** `none`: there is no such program. */
export type PreparedRun =
  | {
      how: 'ready';
      order: Pick<RunOrder, 'command' | 'args' | 'env'> & { cwd: string };
      /** Of the file, in hex, where the account pins it. */
      sha256: string | null;
    }
  | { how: 'refused'; refusal: Refusal }
  | { how: 'none'; found: Extract<Found, { ok: 'missing' }> };

/**
 * How the account’s program runs in the broker: the approved one, in an environment of a fixed base and the account’s
 * `env`, since a caller’s variables would choose whose credential it is (rule: cleared-environment). Throws BrokerError
 * (reason locked).
 */
export async function prepareRun(
  { account, environment, vault, programs }: PreparedRunDeps,
  { program, base, fixed, refused }: PreparedProgram,
): Promise<PreparedRun> {
  const found = await programs.find(account);
  if (found.ok === false) {
    return { how: 'refused', refusal: found };
  }
  if (found.ok === 'missing') {
    return { how: 'none', found };
  }
  const refusal = refused?.(found);
  if (refusal) {
    return { how: 'refused', refusal };
  }
  const own = ownVariables({ account, env: program.env, vault });
  if (!own.ok) {
    return { how: 'refused', refusal: own };
  }
  return {
    how: 'ready',
    sha256: found.sha256,
    order: {
      command: found.path,
      args: program.args,
      env: {
        ...baseEnvironment(environment, pluginSearchPath(program), false),
        ...base,
        ...own.variables,
        ...fixed,
      },
      cwd: pluginFolder(environment),
    },
  };
}
