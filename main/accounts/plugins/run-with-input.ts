import type { Secret } from '../../base/secret.ts';
import type { ExecPluginConfig } from '../../contract/config/config.ts';
import type { Refusal } from '../../contract/refusal.ts';
import type { LoadedAccount } from '../../domain/loaded-config.ts';
import { pluginSearchPath } from '../../domain/program/plugin-search-path.ts';
import type { PluginPrograms } from '../../ports/plugin-programs.ts';
import type { ProgramRunner, RunOutcome } from '../../ports/program-runner.ts';
import type { Vault } from '../../ports/vault.ts';
import { ownVariables } from './own-variables.ts';
import { baseEnvironment } from './rules/base-environment.ts';
import { Transcript } from './transcript.ts';

export interface InputRunDeps {
  account: LoadedAccount;
  vault: Pick<Vault, 'read'>;
  programs: Pick<PluginPrograms, 'find'>;
  /** One that runs in the broker, without a terminal. */
  runProgram(): ProgramRunner;
  /** The broker’s own environment. */
  environment: Readonly<Record<string, string | undefined>>;
}

export interface InputRun {
  program: Pick<ExecPluginConfig, 'args' | 'env' | 'searchPath'>;
  input: Secret;
  /** Beside the fixed base. The account’s `env` replaces them. */
  base?: Readonly<Record<string, string>>;
  /** Whatever the account’s `env` says. */
  fixed?: Readonly<Record<string, string>>;
  maxBytes: number;
  timeoutSeconds: number;
  /** Why this program is not run; null: it is. `target`: the end of links at `path`. */
  refused?(found: { path: string; target: string }): Refusal | null;
}

type Found = Awaited<ReturnType<PluginPrograms['find']>>;

/** `lines`: the last lines of its stderr, stripped. `none`: nothing was run, for there is no such program. */
export type InputRunEnd =
  | { how: 'ran'; outcome: RunOutcome; lines: readonly string[] }
  | { how: 'refused'; refusal: Refusal }
  | { how: 'none'; found: Extract<Found, { ok: 'missing' }> };

/**
 * Runs the account’s program once, in the broker, with a request on standard input. Its environment is a fixed base and
 * the account’s `env`: a caller’s variables would choose whose credential it is (rule: cleared-environment). All that it
 * starts ends with it.
 */
export async function runWithInput(
  deps: InputRunDeps,
  { program, input, base, fixed, maxBytes, timeoutSeconds, refused }: InputRun,
  signal: AbortSignal,
): Promise<InputRunEnd> {
  const { account, environment, vault } = deps;
  const found = await deps.programs.find(account);
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
  const transcript = new Transcript(() => undefined);
  const outcome = await deps.runProgram().run(
    {
      command: found.path,
      args: program.args,
      env: {
        ...baseEnvironment(environment, pluginSearchPath(program), false),
        ...base,
        ...own.variables,
        ...fixed,
      },
      pass: [],
      cwd: environment['HOME'] ?? '/',
      terminal: false,
      input,
      endsAll: true,
      maxBytes,
      timeoutSeconds,
    },
    { onStderr: (bytes) => transcript.add(bytes), onLapse: () => undefined, signal },
  );
  transcript.end({ isPrompt: false });
  return { how: 'ran', outcome, lines: transcript.lastLines };
}
