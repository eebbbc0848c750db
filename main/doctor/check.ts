import type { Refusal } from '../contract/refusal.ts';
import type { Observation } from '../domain/text/finding.ts';

/** The groups of checks, in the order in which they are shown. */
export const groups = [
  'broker',
  'accounts',
  'clusters',
  'proxy',
  'registries',
  'inventories',
  'kubeconfigs',
  'tools',
] as const;
export type Group = (typeof groups)[number];

/** Checks one subject. Changes nothing, asks no question, and ends soon after `signal` aborts. */
export interface Check {
  group: Group;
  /** Names the check where it fails or times out, such as `account`. */
  name: string;
  /** The account, cluster, file or program that is checked; null: this home. */
  subject: string | null;
  run(signal: AbortSignal): Promise<readonly Observed[]> | readonly Observed[];
}

/** An observation; `subject` where it is narrower than the check’s. */
export type Observed = Observation & { subject?: string | null };

/** The first `limit` of a list, and how many more it has. */
export function firstOf<T>(all: readonly T[], limit: number): { shown: readonly T[]; more: number } {
  return { shown: all.slice(0, limit), more: Math.max(0, all.length - limit) };
}

/** `a, b, c and 4 more` */
export function listed(names: readonly string[], limit = 8): string {
  const { shown, more } = firstOf(names, limit);
  return more === 0 ? shown.join(', ') : `${shown.join(', ')} and ${more} more`;
}

/** It is pending approval: the check of config.yaml names all that is, so no other check says it again. */
export function isPending(refusal: Refusal): boolean {
  return refusal.code === 'binding.held';
}
