import { compareVersions, isPrerelease } from './compare-versions.ts';

export interface Offer {
  offered: string;
  /** The running version. */
  current: string;
  /** The highest version that the feed has offered. Null: none yet. */
  highest: string | null;
}

/**
 * The verdict about a signed offer. Only `newer` is shown and fetched. `replayed`: the feed offered a higher version
 * before. The feed's operator, or someone on the network, may hide a fixed version with an old manifest whose
 * signature is valid (rule: signed-updates).
 */
export type Verdict = 'newer' | 'nothing' | 'prerelease' | 'replayed';

export function judge({ offered, current, highest }: Offer): Verdict {
  if (highest !== null && compareVersions(offered, highest) < 0 && compareVersions(highest, current) > 0) {
    return 'replayed';
  }
  if (compareVersions(offered, current) <= 0) {
    return 'nothing';
  }
  return isPrerelease(offered) && !isPrerelease(current) ? 'prerelease' : 'newer';
}
