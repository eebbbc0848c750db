import { basename } from 'node:path';
import { Secret } from '../../base/secret.ts';
import type { CredentialHelperConfig } from '../../contract/config/accounts/image-plugins.ts';
import { isOwnProgram } from '../../contract/program-names.ts';
import { type Refusal, refuse } from '../../contract/refusal.ts';
import { helperWords, readHelperAnswer, saysNotFound } from '../../domain/image/helper-answer.ts';
import { noProgramText } from '../../domain/program/program.ts';
import { helperProgram } from '../../domain/program/program-of.ts';
import { visibleText } from '../../domain/text/visible-text.ts';
import type { RunOutcome } from '../../ports/program-runner.ts';
import { endOfRun } from '../plugins/end-of-run.ts';
import { type InputRunDeps, runWithInput } from '../plugins/run-with-input.ts';

export interface HelperRunDeps extends InputRunDeps {
  config: CredentialHelperConfig;
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
  const program = helperProgram(config);
  const { DBUS_SESSION_BUS_ADDRESS: bus } = environment;
  const ended = await runWithInput(
    deps,
    {
      program,
      input: new Secret(server),
      // Where the system’s credential store listens.
      base: bus === undefined ? {} : { DBUS_SESSION_BUS_ADDRESS: bus },
      fixed: { [helperMarker]: '1' },
      maxBytes: stdoutBytes,
      timeoutSeconds: runSeconds,
      refused: ({ path, target }) => (isOwnProgram(basename(target)) ? ownRefusal(account.name, path) : null),
    },
    signal,
  );
  if (ended.how === 'refused') {
    return { run: ended.refusal, lines: [] };
  }
  if (ended.how === 'none') {
    return { run: missing(account.name, program.command, ended.found), lines: [] };
  }
  const { outcome, lines } = ended;
  return { run: resultOf(account.name, program.command, outcome, lines), lines };
}

/** What a helper prints isn’t shown whole. */
export function runItYourself(command: string): string {
  return `run it yourself to see: echo SERVER | ${visibleText(command, 200)} get`;
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
          runItYourself(command),
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
