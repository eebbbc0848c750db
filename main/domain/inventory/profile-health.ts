import type { ProfileHealth } from '../../contract/ui/calls/inventories.ts';
import type { ProfileCondition } from './profile.ts';

/**
 * The conditions of KEP-4322 that are True when all is well. Of others, such as `Deleting`, it isn’t known which status
 * is the good one: they are shown, and don’t count.
 */
const goodWhenTrue = new Set(['ControlPlaneHealthy', 'Joined']);

/** What a profile’s conditions say of its cluster. */
export function profileHealthOf(conditions: readonly ProfileCondition[]): ProfileHealth {
  const statuses = conditions.filter(({ type }) => goodWhenTrue.has(type)).map(({ status }) => status);
  if (statuses.includes('False')) {
    return 'bad';
  }
  return statuses.length === 0 || statuses.includes('Unknown') ? 'unknown' : 'good';
}
