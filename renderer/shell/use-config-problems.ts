import type { ProblemsView } from '../../main/contract/ui/state.ts';
import { useBroker } from '../stores/use-broker.tsx';

export type ConfigProblem = ProblemsView['config'][number];

/** The problems of config.yaml: its errors, and the warnings that weren’t dismissed. */
export function useConfigProblems(): { errors: ConfigProblem[]; warnings: ConfigProblem[] } {
  const problems = useBroker((state) => state.sections.problems['']?.config) ?? [];
  const dismissed = useBroker((state) => state.sections.appearance['']?.dismissedWarnings) ?? [];
  return {
    errors: problems.filter(({ severity }) => severity === 'error'),
    warnings: problems.filter(
      ({ severity, message }) => severity === 'warning' && !dismissed.includes(message),
    ),
  };
}
