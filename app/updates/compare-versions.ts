const number = '(?:0|[1-9]\\d{0,8})';
const word = '[0-9A-Za-z-]{1,32}';

/** A version by semver.org, without build metadata, which has no effect on the order. */
export const versionPattern = new RegExp(
  `^(${number})\\.(${number})\\.(${number})(?:-(${word}(?:\\.${word}){0,8}))?$`,
);

/** Negative if `a` comes before `b` (semver.org, 11). Both must match `versionPattern`. */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [partsOf(a), partsOf(b)];
  for (const [index, part] of left.core.entries()) {
    const difference = part - (right.core[index] ?? 0);
    if (difference !== 0) {
      return difference;
    }
  }
  if (left.words.length === 0 || right.words.length === 0) {
    // A prerelease comes before its release.
    return right.words.length - left.words.length;
  }
  const differing = left.words.findIndex((each, index) => each !== right.words[index]);
  if (differing === -1) {
    return left.words.length - right.words.length;
  }
  return compareWords(left.words[differing], right.words[differing]);
}

/** True for `2.0.0-beta.1`, false for `2.0.0`. */
export function isPrerelease(version: string): boolean {
  return partsOf(version).words.length > 0;
}

function partsOf(version: string): { core: number[]; words: string[] } {
  const [whole, major, minor, patch, words] = versionPattern.exec(version) ?? [];
  if (whole === undefined) {
    throw new TypeError('not a version');
  }
  return { core: [major, minor, patch].map(Number), words: words?.split('.') ?? [] };
}

/** Numbers come before words, and are compared by size. The shorter list comes first. */
function compareWords(a: string | undefined, b: string | undefined): number {
  if (a === undefined || b === undefined) {
    return a === undefined ? -1 : 1;
  }
  const [isNumberA, isNumberB] = [/^\d+$/.test(a), /^\d+$/.test(b)];
  if (isNumberA && isNumberB) {
    return BigInt(a) < BigInt(b) ? -1 : 1;
  }
  return isNumberA !== isNumberB ? (isNumberA ? -1 : 1) : a < b ? -1 : 1;
}
