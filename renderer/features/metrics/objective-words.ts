import type { CallOutput } from '../../../main/contract/ui/calls/index.ts';
import type { PluginTroubleName } from '../../../main/contract/ui/calls/metrics.ts';
import { countText } from '../../../main/contract/ui/count-text.ts';

export type Plugin = CallOutput<'metrics.objectives'>['plugins'][number];
export type Health = Pick<Plugin, 'calls' | 'rotations' | 'troubles'>;

/** The signs of trouble that KEP-541 names: what was seen, and what to do. */
const troubleWords: Readonly<Record<PluginTroubleName, { seen: string; todo: string }>> = {
  rotatesTooOften: {
    seen: 'Its certificates are replaced within an hour, long before they expire.',
    todo: 'Look for 401s in the cluster’s timeline: the cluster may reject them. If there are none, run the plugin by hand and see which expiry it returns.',
  },
  youngCertificates: {
    seen: 'Half of its certificates are replaced before half of their life is over.',
    todo: 'See why in the cluster’s timeline. After a 401 it is the cluster. Otherwise have the plugin return the certificate’s own expiry, or none.',
  },
  callsRise: {
    seen: 'It ran more than twice as often in the last hour as in any of the 23 hours before.',
    todo: 'See in Activity which programs use it, and whether a cluster rejects its credentials.',
  },
  errorsRise: {
    seen: 'It failed more than twice as often in the last hour as in any of the 23 hours before.',
    todo: 'See its last error in Accounts, and test the account there.',
  },
};

export interface Finding {
  key: string;
  account: string;
  /** The clusters that it concerns; empty: all of the plugin’s, or none in particular. */
  clusters: string[];
  seen: string;
  todo: string;
}

/** What needs the user: one sentence for each thing that is wrong with a plugin, and what to do. */
export function findingsOf(plugins: readonly Plugin[], rotationDays: number): Finding[] {
  return plugins.flatMap(({ account, troubles, calls, rotations, clusters }) => {
    const of = (
      name: string,
      words: { seen: string; todo: string },
      isOf: (each: Health) => boolean,
    ): Finding => ({
      key: `${account} ${name}`,
      account,
      clusters: clusters.flatMap((each) => (each.cluster !== null && isOf(each) ? [each.cluster] : [])),
      ...words,
    });
    const found = troubles.map((name) =>
      of(name, troubleWords[name], (each) => each.troubles.includes(name)),
    );
    if (calls.isMet === false && !troubles.includes('errorsRise')) {
      const seen = `${countText(calls.failed)} of ${countText(calls.runs)} runs failed in the last 24 hours.`;
      found.push(
        of('calls', { seen, todo: troubleWords.errorsRise.todo }, (each) => each.calls.isMet === false),
      );
    }
    const isToldAlready = troubles.includes('rotatesTooOften') || troubles.includes('youngCertificates');
    if (rotations.isMet === false && !isToldAlready) {
      const { within, early, late } = rotations;
      const seen = `${countText(early + late)} of ${countText(within + early + late)} certificates were replaced too early or too late in ${rotationDays} days.`;
      const todo =
        early >= late
          ? troubleWords.youngCertificates.todo
          : 'Have the plugin return the certificate’s own expiry.';
      found.push(of('rotations', { seen, todo }, (each) => each.rotations.isMet === false));
    }
    return found;
  });
}

/** `2 of 12,004 failed, 1 may`. */
export function callsWords({ runs, failed, unusable, allowed, isMet }: Health['calls']): string {
  if (isMet === null) {
    return 'No runs';
  }
  const answers = unusable === 0 ? '' : `, ${countText(unusable)} of them with invalid output`;
  return `${countText(failed)} of ${countText(runs)} failed${answers}${allowed === 0 ? '' : `, ${countText(allowed)} may`}`;
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
