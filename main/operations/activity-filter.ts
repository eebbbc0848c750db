import type { ActivityFilter } from '../contract/ui/calls/activity.ts';
import { registryOf } from '../domain/target/registry-target.ts';
import { clusterOf, targetText } from '../domain/target/target.ts';
import type { HistoryEvent } from '../ports/history.ts';
import { programName } from './event-text.ts';

/** Whether an event is among those that a filter shows, its time aside. */
export function activityMatcher(filter: ActivityFilter): (event: HistoryEvent) => boolean {
  const words = (filter.search ?? '').toLowerCase().split(/\s+/).filter(Boolean);
  const { cluster, registry, account, program, door, decision, kinds } = filter;
  return (event) =>
    (kinds === undefined || kinds.includes(event.kind)) &&
    (cluster === undefined || ('target' in event && clusterOf(event.target) === cluster)) &&
    (registry === undefined || ('target' in event && registryOf(event.target) === registry)) &&
    (account === undefined || ('account' in event && event.account === account)) &&
    (door === undefined || (event.kind === 'call' && event.door === door)) &&
    (decision === undefined || decisionOf(event) === decision) &&
    (program === undefined || programOf(event) === program) &&
    words.every((word) => textOf(event).includes(word));
}

/** Of calls, and of the questions about them. */
function decisionOf(event: HistoryEvent): ActivityFilter['decision'] | null {
  if (event.kind === 'call') {
    return event.outcome;
  }
  return event.kind === 'approval' ? (event.outcome === 'approved' ? 'handedOut' : 'refused') : null;
}

function programOf(event: HistoryEvent): string | null {
  return 'caller' in event ? programName(event.caller.executable) : null;
}

function textOf(event: HistoryEvent): string {
  const target = 'target' in event && event.target !== null ? targetText(event.target) : null;
  const account = 'account' in event ? event.account : null;
  const name = event.kind === 'change' ? event.name : null;
  return [target, account, name, programOf(event)].join('\n').toLowerCase();
}
