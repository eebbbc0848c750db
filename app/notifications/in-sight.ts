import type { Alert } from './alert.ts';

/** Alerts that every view of the page shows: questions above the view, and strips for changes and offers. */
const everywhere: readonly Alert['switch'][] = ['questions', 'changes'];
/** The lists that show alerts about accounts, clusters, registries and inventories. */
const lists = /^(#\/(clusters|registries|inventories|accounts)(\/.*)?|#?\/?)$/;

/** Whether the user sees the alert in the window in front, which shows `route`. Null: no window is in front. */
export function isInSight({ switch: sort }: Pick<Alert, 'switch'>, route: string | null): boolean {
  return route !== null && (everywhere.includes(sort) || lists.test(route));
}
