import {
  dayHours,
  type HourOfRuns,
  hourMilliseconds,
  type Rotation,
  rotationKind,
} from '../figures/plugin-objectives.ts';

/**
 * The failure modes that KEP-541 names for its metrics ("What specific metrics should inform a rollback?"), detected
 * by plain rules from the last 24 hours.
 */
export type PluginTrouble = 'rotatesTooOften' | 'youngCertificates' | 'callsRise' | 'errorsRise';

/** Normal in small numbers: a new login, one 401. */
const leastRotations = 3;
/** client-go's buckets up to this age count as rotations that come too quickly. */
const quickAge = hourMilliseconds;
/** Below this share of its life, a certificate is young. */
const youngShare = 0.5;
const leastCalls = 10;
const leastErrors = 3;
/** Compares the last hour with the busiest one before. */
const rise = 2;

/**
 * - `rotatesTooOften`: three certificates or more were replaced within an hour of their issue, all before their time.
 * - `youngCertificates`: of three rotations or more, half of the certificates had not lived half of their life.
 * - `callsRise`: ten runs or more in the last hour, and more than twice as many as in the busiest of the 23 before, if
 *   there was any: a morning's first hour is no rise.
 * - `errorsRise`: three failed runs or more in the last hour, and more than twice as many as in the worst of the 23 before.
 *
 * All of one plugin and one cluster. Rotations for which somebody's return was waited for (`idle`) say nothing here.
 */
export function pluginTroubles(
  hours: readonly HourOfRuns[],
  rotations: readonly Rotation[],
): readonly PluginTrouble[] {
  const counting = rotations.filter((each) => rotationKind(each) !== 'idle');
  const tooQuick = counting.filter((each) => rotationKind(each) === 'early' && each.age < quickAge);
  const young = counting.filter(({ age, life }) => age < life * youngShare);
  const found: PluginTrouble[] = [];
  if (tooQuick.length >= leastRotations) {
    found.push('rotatesTooOften');
  }
  if (counting.length >= leastRotations && young.length * 2 >= counting.length) {
    found.push('youngCertificates');
  }
  if (
    rises(hours, ({ runs }) => runs, leastCalls) &&
    hours.some(({ hour, runs }) => hour < dayHours - 1 && runs > 0)
  ) {
    found.push('callsRise');
  }
  if (rises(hours, ({ failed }) => failed, leastErrors)) {
    found.push('errorsRise');
  }
  return found;
}

function rises(hours: readonly HourOfRuns[], of: (hour: HourOfRuns) => number, least: number): boolean {
  const byHour = Array.from({ length: dayHours }, (_, index) =>
    hours.filter(({ hour }) => hour === index).reduce((total, hour) => total + of(hour), 0),
  );
  const last = byHour.at(-1) ?? 0;
  return last >= least && last > rise * Math.max(...byHour.slice(0, -1));
}

/** What it means and where to look, for the user. */
export const troubleSentences: Readonly<Record<PluginTrouble, string>> = {
  rotatesTooOften:
    'rotates too often: certificates are replaced within an hour of their issue, before their end; the cluster may reject them, or the plugin names too early an end',
  youngCertificates:
    'certificates are replaced far below their lifetime: half of them had lived less than half of it',
  callsRise:
    'calls rise quickly: more than twice as many in the last hour as in any of the 23 before; the cluster may reject what it gives, or its answers end at once',
  errorsRise: 'errors rise: more than twice as many in the last hour as in any of the 23 before',
};
