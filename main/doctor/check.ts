import type { Observation } from '../domain/text/finding.ts';

/** What the checks are grouped by, in the order in which they are shown. */
export const groups = ['broker', 'accounts', 'clusters', 'kubeconfigs', 'tools'] as const;
export type Group = (typeof groups)[number];

/** One look at one thing. Changes nothing, asks nobody, and notices `signal` soon. */
export interface Check {
  group: Group;
  /** Names it where it doesn't end or fails: `account`. */
  name: string;
  /** Whom or what it is about: an account, a cluster, a file, a program; null: this home. */
  subject: string | null;
  run(signal: AbortSignal): Promise<readonly Observed[]> | readonly Observed[];
}

/** An observation; `subject` where it is about something narrower than its check is. */
export type Observed = Observation & { subject?: string | null };

/** What is left of many: the first ones, and how many more there are. */
export function firstOf<T>(all: readonly T[], limit: number): { shown: readonly T[]; more: number } {
  return { shown: all.slice(0, limit), more: Math.max(0, all.length - limit) };
}

/** `a, b, c and 4 more` */
export function listed(names: readonly string[], limit = 8): string {
  const { shown, more } = firstOf(names, limit);
  return more === 0 ? shown.join(', ') : `${shown.join(', ')} and ${more} more`;
}
