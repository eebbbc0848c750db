import type { ExecPluginConfig } from '../../contract/config/accounts/exec-plugin.ts';
import { noInterpreterText, noProgramText } from '../../domain/program/program.ts';
import type { ProgramCheck } from '../../domain/program/program-check.ts';
import { visibleText } from '../../domain/text/visible-text.ts';

/** Why its program can't be run; null: it can. */
export function programProblem(
  name: string,
  { command }: Pick<ExecPluginConfig, 'command'>,
  { facts, fault }: ProgramCheck,
): string | null {
  if (facts.kind !== 'program') {
    return facts.kind === 'missing'
      ? `there is no program ${visibleText(command, 200)}`
      : noProgramText(facts);
  }
  if (facts.interpreter?.isMissing) {
    return `${visibleText(facts.path, 200)} can’t be run: ${noInterpreterText(facts.interpreter)}`;
  }
  switch (fault) {
    case null:
      return null;
    case 'unsafe':
      return `others can write its program: see lanyard doctor`;
    case 'moved':
    case 'changed':
      return `its program is not the one that was confirmed: lanyard confirm ${name}`;
  }
}
