import type { ActivityFilter } from '../contract/ui/calls/activity.ts';
import { registryOf } from '../domain/target/registry-target.ts';
import { clusterOf, targetText } from '../domain/target/target.ts';
import type { HistoryEvent } from '../ports/history.ts';
import { programName } from './event-text.ts';

/** The contexts that profiles of an inventory have, or had. */
export type ContextsOf = (inventory: string) => ReadonlySet<string>;

/** Whether an event is among those that a filter shows, its time aside. */
export function activityMatcher(
  filter: ActivityFilter,
  contextsOf: ContextsOf,
): (event: HistoryEvent) => boolean {
  const words = (filter.search ?? '').toLowerCase().split(/\s+/).filter(Boolean);
  const { cluster, registry, inventory, account, program, door, decision, kinds } = filter;
  const isOfInventory = inventory === undefined ? null : inventoryMatcher(inventory, contextsOf(inventory));
  return (event) =>
    (kinds === undefined || kinds.includes(event.kind)) &&
    (cluster === undefined || ('target' in event && clusterOf(event.target) === cluster)) &&
    (registry === undefined || ('target' in event && registryOf(event.target) === registry)) &&
    (isOfInventory === null || isOfInventory(event)) &&
    (account === undefined || ('account' in event && event.account === account)) &&
    (door === undefined || (event.kind === 'call' && event.door === door)) &&
    (decision === undefined || decisionOf(event) === decision) &&
    (program === undefined || programOf(event) === program) &&
    words.every((word) => textOf(event).includes(word));
}

function inventoryMatcher(
  inventory: string,
  contexts: ReadonlySet<string>,
): (event: HistoryEvent) => boolean {
  return (event) => {
    if (event.kind === 'inventory') {
      return event.inventory === inventory;
    }
    if (event.kind === 'change') {
      const isOne = event.what === 'inventory.add' || event.what === 'inventory.remove';
      return (
        event.what.startsWith('inventory.') &&
        event.name !== null &&
        (isOne ? event.name === inventory : contexts.has(event.name))
      );
    }
    const cluster = 'target' in event ? clusterOf(event.target) : null;
    return cluster !== null && contexts.has(cluster);
  };
}

/** Of calls, and of the questions about them. */
function decisionOf(event: HistoryEvent): ActivityFilter['decision'] | null {
  if (event.kind === 'call') {
    return event.outcome;
  }
  return event.kind === 'approval' ? (event.outcome === 'approved' ? 'handedOut' : 'refused') : null;
}

function programOf(event: HistoryEvent): string | null {
  if (event.kind === 'request') {
    return event.program ?? 'unknown';
  }
  return 'caller' in event ? programName(event.caller.executable) : null;
}

function textOf(event: HistoryEvent): string {
  const target = 'target' in event && event.target !== null ? targetText(event.target) : null;
  const account = 'account' in event ? event.account : null;
  const name = event.kind === 'change' ? event.name : event.kind === 'inventory' ? event.inventory : null;
  const path = event.kind === 'request' ? event.path : null;
  return [target, account, name, path, programOf(event)].join('\n').toLowerCase();
}
