/** The number of inserts, deletes, replacements or swaps of neighbours that turn `a` into `b`. */
export function editDistance(a: string, b: string): number {
  let beforePrevious: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    for (let column = 1; column <= b.length; column++) {
      const same = a[row - 1] === b[column - 1];
      let best = Math.min(
        (previous[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (previous[column - 1] ?? 0) + (same ? 0 : 1),
      );
      if (row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]) {
        best = Math.min(best, (beforePrevious[column - 2] ?? 0) + 1);
      }
      current.push(best);
    }
    beforePrevious = previous;
    previous = current;
  }
  return previous[b.length] ?? 0;
}

/**
 * The known names that the user may have meant by `wanted`, nearest first: ignoring case, at most a third of the
 * letters wrong, or one a prefix of the other. Empty: none is near.
 */
export function nearestNames(wanted: string, known: Iterable<string>, max = 3): string[] {
  const asked = wanted.slice(0, 256).toLowerCase();
  const near: { name: string; distance: number }[] = [];
  for (const name of known) {
    const candidate = name.toLowerCase();
    const prefix =
      Math.min(asked.length, candidate.length) >= 2 &&
      (candidate.startsWith(asked) || asked.startsWith(candidate));
    const allowed = Math.max(1, Math.floor(Math.max(asked.length, candidate.length) / 3));
    if (!prefix && Math.abs(asked.length - candidate.length) > allowed) {
      continue;
    }
    const distance = editDistance(asked, candidate);
    if (distance <= allowed || prefix) {
      near.push({ name, distance });
    }
  }
  return near
    .sort((a, b) => a.distance - b.distance || (a.name < b.name ? -1 : 1))
    .slice(0, max)
    .map(({ name }) => name);
}

/** ` (did you mean prod or prod-2?)` for the end of a message; empty: none is near. */
export function didYouMean(wanted: string, known: Iterable<string>): string {
  const near = nearestNames(wanted, known);
  return near.length === 0 ? '' : ` (did you mean ${near.join(' or ')}?)`;
}
