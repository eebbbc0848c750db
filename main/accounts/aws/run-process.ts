import { Secret } from '../../base/secret.ts';
import type { AwsProcessConfig } from '../../contract/config/accounts/aws.ts';
import { type Refusal, refuse } from '../../contract/refusal.ts';
import { clockText } from '../../contract/ui/time-texts.ts';
import { readProcessAnswer } from '../../domain/aws/process-answer.ts';
import { loginLine } from '../../domain/aws/sso-login.ts';
import type { AwsKeys } from '../../domain/credential/aws-keys.ts';
import { noProgramText } from '../../domain/program/program.ts';
import { visibleText } from '../../domain/text/visible-text.ts';
import type { RunOutcome } from '../../ports/program-runner.ts';
import { type CountedRun, countedRun, notFound } from '../plugins/counted-run.ts';
import { endOfRun } from '../plugins/end-of-run.ts';
import { type InputRunDeps, runWithInput } from '../plugins/run-with-input.ts';

export interface ProcessRunDeps extends InputRunDeps {
  config: AwsProcessConfig;
}

/** A session token has a few kilobytes. */
const stdoutBytes = 64 * 1024;

export type ProcessRun = { ok: true; keys: AwsKeys; expiresAt: number | null } | Refusal;

/**
 * One run of the program, as the AWS tools run a `credential_process`: nothing on standard input, the keys as JSON on standard
 * output. Its stdout is in no message. `lines`: the last lines of its stderr, stripped. `counted`: for the record; null: nothing was
 * run. `now`: milliseconds since 1970.
 */
export async function runProcess(
  deps: ProcessRunDeps,
  { limitSeconds, now }: { limitSeconds: number; now: number },
  signal: AbortSignal,
): Promise<{ run: ProcessRun; lines: readonly string[]; counted: CountedRun | null }> {
  const { account, config } = deps;
  const ended = await runWithInput(
    deps,
    { program: config, input: new Secret(''), maxBytes: stdoutBytes, timeoutSeconds: limitSeconds },
    signal,
  );
  if (ended.how === 'refused') {
    return { run: ended.refusal, lines: [], counted: null };
  }
  if (ended.how === 'none') {
    return { run: missing(account.name, config, ended.found), lines: [], counted: notFound };
  }
  const { outcome, lines } = ended;
  const run = resultOf({ name: account.name, config, limitSeconds, now }, outcome, lines);
  return { run, lines, counted: countedRun(outcome) };
}

function resultOf(
  of: { name: string; config: AwsProcessConfig; limitSeconds: number; now: number },
  outcome: RunOutcome,
  lines: readonly string[],
): ProcessRun {
  const { name, config, limitSeconds, now } = of;
  const shown = visibleText(config.command, 200);
  const failed = (code: string, what: string, hint = `see what it said: lanyard plugin show ${name}`) =>
    refuse('provider', `awsProcess.${code}`, `${name} has no AWS keys: ${what}`, hint);
  if (outcome.how !== 'exited' || outcome.code !== 0) {
    const login = outcome.how === 'exited' ? loginLine(config, lines) : null;
    if (login !== null) {
      return failed('sessionOver', 'the session at IAM Identity Center (SSO) has expired', `run: ${login}`);
    }
    const [code, what] = endOfRun(outcome, { size: '64 KiB', seconds: limitSeconds });
    return failed(code, `${shown}: ${what}`);
  }
  const answer = readProcessAnswer(outcome.stdout);
  if (!answer.ok) {
    return failed(
      'answer',
      `${shown} ${answer.fault}`,
      'does it print what credential_process prints, and nothing else?',
    );
  }
  const { keys, expiresAt } = answer;
  return expiresAt !== null && expiresAt <= now
    ? failed(
        'expired',
        `${shown} returned keys that expired at ${clockText(expiresAt, now)}`,
        'is this machine’s clock right? else the program gives old keys',
      )
    : { ok: true, keys, expiresAt };
}

function missing(
  name: string,
  { command }: Pick<AwsProcessConfig, 'command'>,
  found: Parameters<typeof noProgramText>[0],
): Refusal {
  const what = found.kind === 'missing' ? 'there is no such program' : noProgramText(found);
  return refuse(
    'provider',
    found.kind === 'missing' ? 'awsProcess.notFound' : 'awsProcess.notExecutable',
    `the program of ${name} can’t be run: ${visibleText(command, 200)}: ${what}`,
    `install it, or change the command of the account ${name} in config.yaml`,
  );
}
