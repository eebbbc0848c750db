import type { ImportPlan } from '../../../domain/import/import-plan.ts';
import { programFactLines, programsOf } from '../../../operations/import/programs.ts';

/** Accounts shown of what may be thousands; `--json` has all. */
const accountLimit = 40;

/** What new accounts would run, an account each; null: none runs anything. */
export function programsText(plan: ImportPlan): string | null {
  const programs = programsOf(plan);
  const more = programs.size - accountLimit;
  const shown = [...programs].slice(0, accountLimit);
  return programs.size === 0
    ? null
    : [
        'Programs that Lanyard would run:',
        ...shown.flatMap(([account, program]) => {
          const [line, ...facts] = programFactLines(program);
          return [`  ${account}: ${line}`, ...facts.map((fact) => `    ${fact}`)];
        }),
        ...(more > 0 ? [`  … and ${more} more (--json shows all)`] : []),
      ].join('\n');
}
