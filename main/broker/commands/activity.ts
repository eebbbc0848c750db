import { auditCommand } from '../../doors/cli/activity/audit-command.ts';
import { historyCommand } from '../../doors/cli/activity/history-command.ts';
import { metricsCommand } from '../../doors/cli/activity/metrics-command.ts';
import type { Command } from '../../doors/cli/command.ts';
import type { Areas } from '../areas.ts';

export function activityCommands({ deps, served, records, status }: Areas): [string, Command][] {
  const { config, clock } = deps;
  const history = deps.history.reader;
  return [
    ['audit', auditCommand({ history, config, clock })],
    ['history', historyCommand({ history, config: served.serving, status, clock })],
    ['metrics', metricsCommand({ metrics: records.metrics })],
  ];
}
