import { resolve } from 'node:path';
import { exitCodes } from '../../../contract/exit-codes.ts';
import { visibleText } from '../../../domain/text/visible-text.ts';
import { installVariables, pathLine, type Shell, windowsPathLine } from '../../../installed/install-plan.ts';
import type { Installed, InstallReport } from '../../../installed/install-tools.ts';
import type { CommandTools } from '../../../operations/command-tools.ts';
import type { DoorAnswer } from '../../../ports/door.ts';
import { callerEnvironment } from '../caller-environment.ts';
import { type Command, parseWords } from '../command.ts';

/** `lanyard install [--into FOLDER] [--dry-run]`: links, completions and the manual page for the caller. */
export function installCommand({ tools }: { tools: Pick<CommandTools, 'install'> }): Command {
  return async (call) => {
    const { values } = parseWords('install', call.args, [], {
      into: { type: 'string' },
      'dry-run': { type: 'boolean' },
    });
    const dryRun = values['dry-run'] === true;
    const into = values.into === undefined ? undefined : resolve(call.cwd, values.into);
    const environment = await callerEnvironment(call, installVariables);
    return answer(await tools.install({ environment, into, dryRun }), dryRun);
  };
}

function answer(report: InstallReport, dryRun: boolean): DoorAnswer {
  const lines = report.items.map((item) => itemText(item, dryRun));
  const failed = report.items.some(({ outcome }) => outcome.kind === 'failed');
  const left = report.items.some(({ outcome }) => outcome.kind === 'left');
  return {
    code: failed ? exitCodes.internal : left ? exitCodes.notPermitted : exitCodes.good,
    stdout: `${lines.join('\n')}\n`,
    ...withText([...report.missing.map((line) => `lanyard: ${line}`), ...advice(report)]),
  };
}

function withText(lines: readonly string[]): { stderr?: string } {
  return lines.length === 0 ? {} : { stderr: `${lines.join('\n')}\n` };
}

/** What only the user can do: the start files of their shells are theirs. */
function advice({ places, shell, items }: InstallReport): string[] {
  const lines: string[] = [];
  if (!places.isOnPath) {
    lines.push(...pathAdvice(places.bin, shell, process.platform));
  }
  const zsh = places.completion('zsh');
  if (
    zsh !== null &&
    items.some(({ path, outcome }) => path === zsh && outcome.kind !== 'failed' && outcome.kind !== 'left')
  ) {
    const folder = zsh.slice(0, zsh.lastIndexOf('/'));
    lines.push('zsh finds the completion where its fpath has the folder. In ~/.zshrc, before compinit:');
    lines.push(`  fpath=(${folder} $fpath)`);
  }
  return lines;
}

/** How the user’s shell finds the programs in `bin`. */
export function pathAdvice(bin: string, shell: Shell | null, platform: string): string[] {
  return platform === 'win32'
    ? [
        `${bin} is not on your Path. Add it in PowerShell, and open a new terminal:`,
        `  ${windowsPathLine(bin)}`,
      ]
    : [`${bin} is not on your PATH. Add to your shell’s start file:`, `  ${pathLine(bin, shell)}`];
}

function itemText({ path, outcome }: Installed, dryRun: boolean): string {
  const where = visibleText(path);
  switch (outcome.kind) {
    case 'made':
      return `${dryRun ? 'would make' : 'made'}     ${where}`;
    case 'replaced':
      return `${dryRun ? 'would replace' : 'replaced'} ${where}`;
    case 'present':
      return `${dryRun ? 'has already' : 'had already'} ${where}`;
    case 'left':
      return `left     ${where}: ${visibleText(outcome.what)}`;
    case 'failed':
      return `FAILED   ${where}: ${outcome.what}`;
  }
}
