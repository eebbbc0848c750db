import { countText } from '../../../main/contract/ui/call-words.ts';
import type { CallOutput } from '../../../main/contract/ui/calls/index.ts';
import type { PluginTroubleName } from '../../../main/contract/ui/calls/metrics.ts';

export type Plugin = CallOutput<'metrics.objectives'>['plugins'][number];
export type Health = Pick<Plugin, 'calls' | 'rotations' | 'troubles'>;

/** The signs of trouble that KEP-541 names: what was seen, and what to do. */
export const troubleWords: Readonly<Record<PluginTroubleName, { seen: string; todo: string }>> = {
  rotatesTooOften: {
    seen: 'Certificates are replaced within an hour of their issue, before they expire.',
    todo: 'The cluster may reject them, or the plugin returns too early an expiry. Look for 401s in the cluster’s timeline, and run the plugin by hand to see the expiry it returns.',
  },
  youngCertificates: {
    seen: 'Certificates are replaced too early: half lasted less than 50% of their lifetime.',
    todo: 'See why in the cluster’s timeline. After a 401 it is the cluster; otherwise have the plugin return the certificate’s own expiry, or none.',
  },
  callsRise: {
    seen: 'Runs are rising: last hour was over twice any of the previous 23.',
    todo: 'Its credentials may expire at once, or the cluster may reject them. Check in Activity which programs use it, and which expiry the plugin returns.',
  },
  errorsRise: {
    seen: 'Errors are rising: last hour was over twice any of the previous 23.',
    todo: 'Check the plugin’s last error in Accounts, and test the account there.',
  },
};

/** `2 of 12,004 failed`. */
export function callsWords({ runs, failed, unusable, isMet }: Health['calls']): string {
  if (isMet === null) {
    return 'No runs';
  }
  const answers = unusable === 0 ? '' : `, ${countText(unusable)} of them with invalid output`;
  return `${countText(failed)} of ${countText(runs)} failed${answers}`;
}

/** The rest of the budget: `2 of 3 left`. */
export function budgetWords({ failed, allowed, isMet }: Health['calls']): string {
  if (isMet === null) {
    return '–';
  }
  if (allowed === 0) {
    return failed === 0 ? '0 allowed' : 'Used up';
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
    return idle === 0 ? '–' : `${countText(idle)} after a pause, which don’t count`;
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
