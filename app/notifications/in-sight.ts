import type { Alert } from './alert.ts';

/** What every view of the page shows: questions above it, and strips for changes and offers. */
const everywhere: readonly Alert['switch'][] = ['questions', 'changes'];
/** The lists on which what stands with an account or a cluster is seen. */
const lists = /^(#\/(clusters|accounts)(\/.*)?|#?\/?)$/;

/** Whether the user sees it, in a window that is in front at `route`; null: there is none. */
export function isInSight({ switch: sort }: Pick<Alert, 'switch'>, route: string | null): boolean {
  return route !== null && (everywhere.includes(sort) || lists.test(route));
}
