import { createActivityCalls } from '../../doors/ui/calls/activity-calls.ts';
import { createHistoryCalls } from '../../doors/ui/calls/history-calls.ts';
import { createMetricsCalls } from '../../doors/ui/calls/metrics-calls.ts';
import { fewAtATime } from '../../doors/ui/few-at-a-time.ts';
import type { Areas } from '../areas.ts';

/** All calls that read the history, except the one that goes on until it is cancelled. */
const readHistory = [
  'cluster.lane',
  'lanes',
  'cluster.calls',
  'cluster.askers',
  'metrics.objectives',
  'metrics.overTime',
  'metrics.text',
  'activity.query',
  'activity.export',
] as const;

export function activityCalls({ deps, served, records, plugins }: Areas) {
  const { clock, history } = deps;
  const { metrics } = records;
  return fewAtATime(
    4,
    {
      ...createHistoryCalls({ config: served.serving, history, clock }),
      ...createMetricsCalls({ plugins, history, metrics }),
      ...createActivityCalls({
        history,
        clock,
        // Also those that were dropped: their events stay.
        contextsOf: (inventory) =>
          new Set(
            deps.inventories.used
              .current()
              .flatMap((each) => (each.inventory === inventory ? [each.contextName] : [])),
          ),
      }),
    },
    readHistory,
  );
}
