import type { CallOutput } from '../../../main/contract/ui/calls/index.ts';
import type { PluginTroubleName } from '../../../main/contract/ui/calls/metrics.ts';
import { countText } from './figures.ts';

export type Plugin = CallOutput<'metrics.objectives'>['plugins'][number];
export type Health = Pick<Plugin, 'calls' | 'rotations' | 'troubles'>;

/** The signs of trouble that KEP-541 names: what was seen, and what to do. */
export const troubleWords: Readonly<Record<PluginTroubleName, { seen: string; todo: string }>> = {
  rotatesTooOften: {
    seen: 'Certificates are replaced within an hour of their issue, before their end.',
    todo: 'The cluster may reject them, or the plugin names too early an end: look for 401s in the cluster’s lane, and run the plugin by hand to see the end that it names.',
  },
  youngCertificates: {
    seen: 'Certificates are replaced far below their lifetime: half of them had lived less than half of it.',
    todo: 'Look at why in the cluster’s lane: after a 401 it is the cluster; else let the plugin name the certificate’s own end, or none.',
  },
  callsRise: {
    seen: 'Runs rise quickly: more than twice as many in the last hour as in any of the 23 before.',
    todo: 'Its answers may end at once, or the cluster may reject them: look at who asks in Activity, and at the end that the plugin names.',
  },
  errorsRise: {
    seen: 'Errors rise: more than twice as many in the last hour as in any of the 23 before.',
    todo: 'Check the plugin’s last error in Accounts, and test the account there.',
  },
};

/** `2 of 12,004 failed`. */
export function callsWords({ runs, failed, unusable, isMet }: Health['calls']): string {
  if (isMet === null) {
    return 'No runs';
  }
  const answers = unusable === 0 ? '' : `, ${countText(unusable)} of them with no usable answer`;
  return `${countText(failed)} of ${countText(runs)} failed${answers}`;
}

/** The rest of the budget: `2 of 3 left`. */
export function budgetWords({ failed, allowed, isMet }: Health['calls']): string {
  if (isMet === null) {
    return '–';
  }
  if (allowed === 0) {
    return failed === 0 ? 'None may fail' : 'Used up';
  }
  return failed >= allowed
    ? failed === allowed
      ? `0 of ${countText(allowed)} left`
      : `Used up: ${countText(allowed)} might`
    : `${countText(allowed - failed)} of ${countText(allowed)} left`;
}

/** `11 of 12 in the last 1% (1 early)`. */
export function rotationsWords({ within, early, rejected, late, idle, isMet }: Health['rotations']): string {
  if (isMet === null) {
    return idle === 0 ? 'No rotations' : `${countText(idle)} after a pause, which don’t count`;
  }
  const faults = [
    ...(early > 0
      ? [`${countText(early)} early${rejected > 0 ? `, ${countText(rejected)} after a 401` : ''}`]
      : []),
    ...(late > 0 ? [`${countText(late)} late`] : []),
    ...(idle > 0 ? [`${countText(idle)} after a pause, not counted`] : []),
  ];
  const more = faults.length === 0 ? '' : ` (${faults.join('; ')})`;
  return `${countText(within)} of ${countText(within + early + late)} in the last 1%${more}`;
}
