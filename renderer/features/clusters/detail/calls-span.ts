const [minute, hour, day] = [60_000, 3_600_000, 86_400_000];
const widths = [minute, 10 * minute, 30 * minute, 6 * hour, day, 7 * day];
/** About as many bars as there is room for. */
const mostSteps = 60;

/** The past part of a window, in steps that a person can name: a minute, half an hour, a day. */
export function callsSpan(
  { since, until }: { since: number; until: number },
  now: number,
): { since: number; until: number; steps: number } {
  const length = until - since;
  const width = widths.find((each) => length / each <= mostSteps) ?? 7 * day;
  // By the clock of this place: a day begins at midnight.
  const shift = new Date(since).getTimezoneOffset() * minute;
  const round = (at: number, how: (value: number) => number) => how((at - shift) / width) * width + shift;
  const from = round(since, Math.floor);
  const to = Math.max(from + width, Math.min(round(until, Math.ceil), round(now, Math.ceil)));
  return { since: from, until: to, steps: Math.round((to - from) / width) };
}
