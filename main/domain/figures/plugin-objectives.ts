import { counted, countText } from '../../contract/ui/count-text.ts';
/**
 * KEP-541's objectives for exec plugins, counted from the history: certificates are rotated within 1% of their lifetime,
 * and at most 0.01% of the calls fail in a moving 24 hours.
 */

/** Hours of the moving day; the last one ends now. */
export const dayHours = 24;
export const hourMilliseconds = 3_600_000;
export const dayMilliseconds = dayHours * hourMilliseconds;

/** The number of calls in which one may fail: 0.01%. */
const callsForOneFailure = 10_000;
/** The share of a certificate's life before its expiry in which it should be rotated. */
const rotationShare = 0.01;

/** Runs of one plugin for one cluster within one hour, all or some of them. */
export interface HourOfRuns {
  account: string;
  /** The cluster that it was told, or that the first caller asked for; null: none. */
  cluster: string | null;
  /** From 0, the oldest, to `dayHours` − 1. */
  hour: number;
  runs: number;
  /** Runs that gave no credential. */
  failed: number;
  /** Runs among `failed` with exit code 0 and an unusable answer: client-go counts them as no error. */
  unusable: number;
}

/** A certificate that was replaced. */
export interface Rotation {
  account: string;
  /** The cluster that it was made for, where that shapes it; null: it was for any. */
  cluster: string | null;
  /** Milliseconds since 1970. */
  at: number;
  /** Why a new one was asked for. */
  why: string;
  /** From its issue to the rotation, in milliseconds. */
  age: number;
  /**
   * From its issue to its expiry: NotAfter, or the plugin's expirationTimestamp where that is earlier. In
   * milliseconds.
   */
  life: number;
  /** The plugin had failed since the last hundredth of its life began. */
  afterFailure: boolean;
}

/**
 * `within`: in the last 1% of its life. `early`: before that, including an inferred 401 (`rejected`). `late`: after
 * its expiry, and the plugin had failed in between. `idle`: after its expiry, at the next request: no one had waited
 * for it, the machine slept or nothing was in use; it is not counted.
 */
export type RotationKind = 'within' | 'early' | 'late' | 'idle';

export function rotationKind({ age, life, afterFailure }: Rotation): RotationKind {
  const left = life - age;
  if (left > life * rotationShare) {
    return 'early';
  }
  return left >= 0 ? 'within' : afterFailure ? 'late' : 'idle';
}

export interface CallObjective {
  runs: number;
  failed: number;
  unusable: number;
  /** Null: no runs. */
  isMet: boolean | null;
}

export interface RotationObjective extends Readonly<Record<RotationKind, number>> {
  /** Those of `early` after an inferred 401. */
  rejected: number;
  /** Null: no rotations to count. */
  isMet: boolean | null;
}

export function callObjective(hours: readonly HourOfRuns[]): CallObjective {
  const sum = (of: (hour: HourOfRuns) => number) => hours.reduce((total, hour) => total + of(hour), 0);
  const runs = sum((hour) => hour.runs);
  const failed = sum((hour) => hour.failed);
  const isMet = runs === 0 ? null : failed * callsForOneFailure <= runs;
  return { runs, failed, unusable: sum((hour) => hour.unusable), isMet };
}

/** How many of so many runs may fail for the objective to be met. */
export function allowedFailures(runs: number): number {
  return Math.floor(runs / callsForOneFailure);
}

export function rotationObjective(rotations: readonly Rotation[]): RotationObjective {
  const counts = { within: 0, early: 0, late: 0, idle: 0 };
  let rejected = 0;
  for (const rotation of rotations) {
    const kind = rotationKind(rotation);
    counts[kind] += 1;
    rejected += kind === 'early' && rotation.why === 'rejected' ? 1 : 0;
  }
  const missed = counts.early + counts.late;
  return { ...counts, rejected, isMet: counts.within + missed === 0 ? null : missed === 0 };
}

/** `2 of 1,438 runs failed (0.14%): objective 0.01% not met; below 10,000 runs one failure breaks it`. */
export function callSentence({ runs, failed, unusable, isMet }: CallObjective): string {
  if (isMet === null) {
    return 'no runs in the last 24 h';
  }
  const what = `${countText(failed)} of ${counted(runs, 'run')} failed (${share(failed, runs)})`;
  const answers =
    unusable === 0 ? '' : `, ${countText(unusable)} of them with exit code 0 and no usable answer`;
  const few =
    runs < callsForOneFailure ? `; below ${countText(callsForOneFailure)} runs one failure breaks it` : '';
  return `${what}${answers}: objective 0.01% ${isMet ? 'met' : 'not met'}${few}`;
}

/** `11 of 12 rotations in the last 1% of the life (1 early): objective not met`. */
export function rotationSentence(objective: RotationObjective): string {
  const { within, early, rejected, late, idle, isMet } = objective;
  const whenAsked = `${countText(idle)} when it was requested again after it expired`;
  if (isMet === null) {
    return idle === 0 ? 'no certificate was rotated' : `no rotation that counts: ${whenAsked}`;
  }
  const all = within + early + late;
  const faults = [
    ...(early > 0
      ? [`${countText(early)} early${rejected > 0 ? `, ${countText(rejected)} of them after a 401` : ''}`]
      : []),
    ...(late > 0 ? [`${countText(late)} late, as the plugin failed`] : []),
  ];
  const besides = idle === 0 ? '' : `; besides ${whenAsked}, which count neither way`;
  const why = faults.length === 0 ? '' : ` (${faults.join('; ')})`;
  return `${countText(within)} of ${counted(all, 'rotation')} in the last 1% of the life${why}: objective ${isMet ? 'met' : 'not met'}${besides}`;
}

/** In percent, with two significant digits: 0.14%, 0.0070%, 12%. */
function share(part: number, whole: number): string {
  const percent = (part / whole) * 100;
  if (part === 0 || part === whole) {
    return `${percent}%`;
  }
  return `${percent >= 10 ? percent.toFixed(0) : Number(percent.toPrecision(2))}%`;
}
