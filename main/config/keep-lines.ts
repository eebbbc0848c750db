/**
 * Keeps the user’s lines wherever an edit didn’t touch them. `normal` is `source` as the YAML printer writes it,
 * `edited` is the same after the edit. Where those two agree at the beginning and at the end, takes the lines of
 * `source`. Null where the printer changed more of `source` than its spacing.
 */
export function keepLines(source: string, normal: string, edited: string): string | null {
  if (squashed(source) !== squashed(normal)) {
    return null;
  }
  const [ours, printed, next] = [source.split('\n'), normal.split('\n'), edited.split('\n')];
  const shortest = Math.min(printed.length, next.length);
  const agreed = agreeing(printed, next, shortest);
  const prefix = sameText(ours, printed, agreed);
  const agreedAtEnd = agreeing(printed.toReversed(), next.toReversed(), shortest - agreed);
  const suffix = sameText(ours.toReversed(), printed.toReversed(), agreedAtEnd);
  return [
    ...ours.slice(0, prefix.source),
    ...next.slice(prefix.printed, next.length - suffix.printed),
    ...ours.slice(ours.length - suffix.source),
  ].join('\n');
}

/** How many lines both begin with. */
function agreeing(a: readonly string[], b: readonly string[], limit: number): number {
  let count = 0;
  while (count < limit && a[count] === b[count]) {
    count++;
  }
  return count;
}

/**
 * The longest run of at most `limit` printed lines that is also a run of complete source lines. The printer breaks a
 * line before a comment, and adds and drops empty lines.
 */
function sameText(source: readonly string[], printed: readonly string[], limit: number) {
  const ends = runs(source);
  const printedEnds = runs(printed.slice(0, limit));
  for (let count = limit; count > 0; count--) {
    const length = printedEnds.lengths[count] ?? 0;
    const found = ends.byLength.get(length);
    if (found) {
      // Empty lines that follow belong to the run when the printed run ends in one.
      const emptyEnd = squashed(printed[count - 1] ?? '') === '';
      return { printed: count, source: emptyEnd ? found.last : found.first };
    }
  }
  return { printed: 0, source: 0 };
}

/** Counts the characters up to each line, spacing aside, and indexes the lines by that count. */
function runs(lines: readonly string[]) {
  const lengths = [0];
  const byLength = new Map([[0, { first: 0, last: 0 }]]);
  let length = 0;
  for (const [index, line] of lines.entries()) {
    length += squashed(line).length;
    lengths.push(length);
    const first = byLength.get(length)?.first ?? index + 1;
    byLength.set(length, { first, last: index + 1 });
  }
  return { lengths, byLength };
}

function squashed(text: string): string {
  return text.replace(/\s/g, '');
}
