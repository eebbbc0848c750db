import { observe } from '../../domain/text/finding.ts';
import type { Check } from '../check.ts';

/** What goes on record, and the scrape endpoint: said where something is wrong. */
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
