const [minute, hour, day] = [60_000, 3_600_000, 86_400_000];
const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

export interface RoundTime {
  /** Milliseconds since 1970. */
  at: number;
  /** `14:00`, `3 Mar` where a day begins, `Mar` or `Jan 2027` where a month does. */
  text: string;
}

/** What a person reads on a clock or a calendar: 10:00, 12:00, not 10:36. */
const steps: readonly { unit: 'minutes' | 'days' | 'months'; by: number; length: number }[] = [
  ...[5, 10, 15, 30].map((by) => ({ unit: 'minutes' as const, by, length: by * minute })),
  ...[1, 2, 3, 6, 12].map((by) => ({ unit: 'minutes' as const, by: by * 60, length: by * hour })),
  ...[1, 2, 7, 14].map((by) => ({ unit: 'days' as const, by, length: by * day })),
  ...[1, 2, 3, 6, 12].map((by) => ({ unit: 'months' as const, by, length: by * 30.44 * day })),
];

/** The round times between two moments, in local time: the closest that are no more than `most`. */
export function roundTimes(since: number, until: number, most: number): RoundTime[] {
  const least = (until - since) / Math.max(1, most);
  const step = steps.find(({ length }) => length >= least) ?? steps.at(-1);
  const found: RoundTime[] = [];
  const first = new Date(since);
  for (let turn = 0; step; turn += 1) {
    // Counted from midnight by the calendar: hours stay round where the clocks are changed.
    const date =
      step.unit === 'minutes'
        ? new Date(first.getFullYear(), first.getMonth(), first.getDate(), 0, turn * step.by)
        : step.unit === 'days'
          ? new Date(first.getFullYear(), first.getMonth(), first.getDate() + turn * step.by)
          : new Date(first.getFullYear(), turn * step.by, 1);
    const at = date.getTime();
    if (at > until) {
      return found;
    }
    // The hour that the clocks skip in spring would come twice: its times are those of the next hour.
    if (at >= since && at > (found.at(-1)?.at ?? Number.NEGATIVE_INFINITY)) {
      found.push({ at, text: textOf(date, step.unit) });
    }
  }
  return found;
}

function textOf(date: Date, unit: 'minutes' | 'days' | 'months'): string {
  const month = months[date.getMonth()] ?? '';
  if (unit === 'months') {
    return date.getMonth() === 0 ? `${month} ${date.getFullYear()}` : month;
  }
  const [hours, minutes] = [date.getHours(), date.getMinutes()];
  return unit === 'days' || (hours === 0 && minutes === 0)
    ? `${date.getDate()} ${month}`
    : `${String(hours).padStart(2, '0')}:${String(minutes).padStart(2, '0')}`;
}
