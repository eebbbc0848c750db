import type { ExecPluginConfig } from '../../contract/config/accounts/exec-plugin.ts';
import { type Refusal, refuse } from '../../contract/refusal.ts';
import { type NoProgram, noProgramText } from '../../domain/program/program.ts';
import { visibleText } from '../../domain/text/visible-text.ts';
import type { RunOutcome } from '../../ports/program-runner.ts';
import { type CountedRun, countedRun, noExitCode } from '../plugins/counted-run.ts';

/** Why a run gave nothing, in client-go's words, and how it is counted. */
export function describeFailure(
  outcome: Exclude<RunOutcome, { how: 'exited'; code: 0 } | { how: 'lost' } | { how: 'noTerminal' }>,
  name: string,
  config: Pick<ExecPluginConfig, 'command' | 'installHint'>,
  seconds: number,
): { refusal: Refusal; counted: CountedRun } {
  const command = visibleText(config.command, 200);
  const counted = countedRun(outcome);
  const failed = (code: string, message: string, hint = `see what it said: lanyard plugin show ${name}`) => ({
    refusal: refuse('provider', `execPlugin.${code}`, message, hint),
    counted,
  });
  switch (outcome.how) {
    case 'exited':
      return failed('failed', `exec: executable ${command} failed with exit code ${outcome.code}`);
    case 'signalled':
      return failed(
        'signalled',
        `exec: executable ${command} failed with exit code ${noExitCode} (ended by signal ${outcome.signal})`,
      );
    case 'interrupted':
      return failed('interrupted', `exec: executable ${command} was interrupted at the terminal`);
    case 'tooLarge':
      return failed('tooLarge', `exec: executable ${command} wrote more than 1 MiB, and was ended`);
    case 'timedOut':
      return failed(
        'timedOut',
        `exec: executable ${command} did not answer in ${seconds} s, and was ended with all it started`,
        `if it needs longer: timeoutSeconds of the account ${name} in config.yaml`,
      );
    case 'notFound':
      return {
        refusal: missingProgram(name, config, { kind: 'missing', path: null }),
        counted,
      };
    case 'notStarted':
      return {
        refusal: refuse(
          'provider',
          'execPlugin.notStarted',
          `exec: fork/exec ${command}: ${goWords(visibleText(outcome.message, 300))}`,
          'check its file: lanyard doctor',
        ),
        counted,
      };
  }
}

/** Why nothing can be run, as client-go says it: a bare name is looked for, a path is left to the system. */
export function missingProgram(
  name: string,
  { command, installHint }: Pick<ExecPluginConfig, 'command' | 'installHint'>,
  found: NoProgram,
): Refusal {
  const shown = visibleText(command, 200);
  const isPath = /[/\\]/.test(command);
  const change = `change the command of the account ${name} in config.yaml`;
  if (isPath && found.kind !== 'missing') {
    const message = `exec: fork/exec ${shown}: permission denied`;
    const hint = `${noProgramText(found)}: make it a program, or ${change}`;
    return refuse('provider', 'execPlugin.notExecutable', message, hint);
  }
  const message = isPath
    ? `exec: fork/exec ${shown}: no such file or directory`
    : `exec: executable ${shown} not found`;
  return refuse(
    'provider',
    'execPlugin.notFound',
    message,
    howToInstall(installHint) ?? `install it, or ${change}`,
  );
}

/** KEP-541/install-hint: the author of the kubeconfig wrote it. */
function howToInstall(installHint: string | undefined): string | null {
  return installHint === undefined || installHint.trim() === ''
    ? null
    : installHint
        .trim()
        .split('\n')
        .map((line) => visibleText(line, 500))
        // Below the hint: on a separate line it could pretend to be Lanyard's.
        .join('\n      ');
}

/** The system's words begin with a small letter in Go. */
function goWords(text: string): string {
  return text.slice(0, 1).toLowerCase() + text.slice(1);
}
