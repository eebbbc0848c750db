import { basename } from 'node:path';
import { Secret } from '../../base/secret.ts';
import type { CredentialHelperConfig } from '../../contract/config/config.ts';
import { isOwnProgram } from '../../contract/program-names.ts';
import { type Refusal, refuse } from '../../contract/refusal.ts';
import { helperWords, readHelperAnswer, saysNotFound } from '../../domain/image/helper-answer.ts';
import type { LoadedAccount } from '../../domain/loaded-config.ts';
import { pluginSearchPath } from '../../domain/program/plugin-search-path.ts';
import { noProgramText } from '../../domain/program/program.ts';
import { helperProgram } from '../../domain/program/program-of.ts';
import { visibleText } from '../../domain/text/visible-text.ts';
import type { PluginPrograms } from '../../ports/plugin-programs.ts';
import type { ProgramRunner, RunOutcome } from '../../ports/program-runner.ts';
import type { Vault } from '../../ports/vault.ts';
import { endOfRun } from '../plugins/end-of-run.ts';
import { ownVariables } from '../plugins/own-variables.ts';
import { baseEnvironment } from '../plugins/rules/base-environment.ts';
import { Transcript } from '../plugins/transcript.ts';

export interface HelperRunDeps {
  account: LoadedAccount;
  config: CredentialHelperConfig;
  vault: Pick<Vault, 'read'>;
  programs: Pick<PluginPrograms, 'find'>;
  /** One that runs in the broker, without a terminal. */
  runProgram(): ProgramRunner;
  /** The broker’s own environment. */
  environment: Readonly<Record<string, string | undefined>>;
}

/** docker has no limit: a store may ask the user to open it. */
export const runSeconds = 60;

/** docker has no limit: as what Lanyard’s own helper reads. */
const stdoutBytes = 64 * 1024;

/**
 * What the helper’s program finds in its environment. `docker-credential-lanyard` refuses to answer where it is set:
 * through a chain of programs, Lanyard would ask itself.
 */
export const helperMarker = 'LANYARD_CREDENTIAL_HELPER';

/** `password` null: the store has none for this server. */
export type HelperRun = { ok: true; password: { userName: string; password: Secret } | null } | Refusal;

/**
 * One `get` at another credential helper of docker’s: the server on standard input, the answer or the error on standard
 * output, as docker-credential-helpers’ client package runs it. Its environment is a fixed base and the account’s `env`
 * (rule: cleared-environment). `lines`: the last lines of its stderr, stripped.
 */
export async function runHelper(
  deps: HelperRunDeps,
  server: string,
  signal: AbortSignal,
): Promise<{ run: HelperRun; lines: readonly string[] }> {
  const { account, config, environment } = deps;
  const { command, args } = helperProgram(config);
  const program = await deps.programs.find(account);
  if (program.ok !== true) {
    return { run: program.ok === false ? program : missing(account.name, command, program), lines: [] };
  }
  if (isOwnProgram(basename(program.target))) {
    return { run: ownRefusal(account.name, program.path), lines: [] };
  }
  const own = ownVariables({ account, env: config.env, vault: deps.vault });
  if (!own.ok) {
    return { run: own, lines: [] };
  }
  const transcript = new Transcript(() => undefined);
  const { DBUS_SESSION_BUS_ADDRESS: bus, HOME: home = '/' } = environment;
  const outcome = await deps.runProgram().run(
    {
      command: program.path,
      args,
      env: {
        ...baseEnvironment(environment, pluginSearchPath(config), false),
        // Where the system’s credential store listens.
        ...(bus !== undefined && { DBUS_SESSION_BUS_ADDRESS: bus }),
        ...own.variables,
        [helperMarker]: '1',
      },
      pass: [],
      cwd: home,
      terminal: false,
      input: new Secret(server),
      endsAll: true,
      maxBytes: stdoutBytes,
      timeoutSeconds: runSeconds,
    },
    { onStderr: (bytes) => transcript.add(bytes), onLapse: () => undefined, signal },
  );
  transcript.end({ isPrompt: false });
  const lines = transcript.lastLines;
  return { run: resultOf(account.name, command, outcome, lines), lines };
}

/** Why a helper that leads to Lanyard itself is not run. */
export function ownRefusal(name: string, path: string): Refusal {
  return refuse(
    'notPermitted',
    'credentialHelper.own',
    `${visibleText(path)} is Lanyard’s own helper: ${name} would have Lanyard ask itself`,
    `change the helper of the account ${name} in config.yaml`,
  );
}

function resultOf(name: string, command: string, outcome: RunOutcome, lines: readonly string[]): HelperRun {
  const shown = visibleText(command, 200);
  if (outcome.how === 'exited' && outcome.code === 0) {
    const password = readHelperAnswer(outcome.stdout);
    return password
      ? { ok: true, password: password.userName === '' && password.password.isEmpty ? null : password }
      : refuse(
          'provider',
          'credentialHelper.answer',
          `${shown} returned no JSON object with ServerURL, Username and Secret as texts`,
          `run it yourself to see: echo SERVER | ${shown} get`,
        );
  }
  if (outcome.how === 'exited' && saysNotFound(outcome.stdout)) {
    return { ok: true, password: null };
  }
  const [code, what] = endOfRun(outcome, { size: '64 KiB', seconds: runSeconds });
  const out = outcome.how === 'exited' ? helperWords(outcome.stdout) : '';
  const said = lines.length === 0 ? '' : `: ${visibleText(lines.join(' '), 600)}`;
  return refuse(
    'provider',
    `credentialHelper.${code}`,
    // docker’s own words.
    `error getting credentials from ${shown} - err: ${what}${out === '' ? '' : `, out: ${out}`}${said}`,
    `check the helper of ${name}: lanyard doctor`,
  );
}

function missing(name: string, command: string, found: Parameters<typeof noProgramText>[0]): Refusal {
  const what = found.kind === 'missing' ? 'there is no such program' : noProgramText(found);
  return refuse(
    'provider',
    found.kind === 'missing' ? 'credentialHelper.notFound' : 'credentialHelper.notExecutable',
    `the credential helper of ${name} can’t be run: ${visibleText(command, 200)}: ${what}`,
    `install it, or change the helper of the account ${name} in config.yaml`,
  );
}
