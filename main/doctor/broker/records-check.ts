import { observe } from '../../domain/text/finding.ts';
import type { Check } from '../check.ts';

/** Checks the history and the metrics endpoint; finds nothing where they work. */
export function recordsCheck(of: { history: readonly string[]; metrics: string | null }): Check {
  return {
    group: 'broker',
    name: 'history',
    subject: null,
    run: () => [
      ...of.history.map((problem) =>
        observe('history').warning(problem, 'without a record nothing is issued: see history.db in the home'),
      ),
      ...(of.metrics === null ? [] : [observe('metrics').warning(of.metrics)]),
    ],
  };
}
