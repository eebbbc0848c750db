const [minute, hour, day] = [60_000, 3_600_000, 86_400_000];

export type SpanName = 'hour' | 'day' | 'week' | 'month' | 'year';

/** The selectable spans: length, number of steps, and how often they are refreshed. */
export const spans: Readonly<
  Record<SpanName, { label: string; words: string; milliseconds: number; steps: number; refresh: number }>
> = {
  hour: { label: 'Hour', words: 'the last hour', milliseconds: hour, steps: 60, refresh: minute },
  day: { label: 'Day', words: 'the last 24 hours', milliseconds: day, steps: 48, refresh: 5 * minute },
  week: { label: 'Week', words: 'the last 7 days', milliseconds: 7 * day, steps: 56, refresh: 15 * minute },
  month: { label: 'Month', words: 'the last 30 days', milliseconds: 30 * day, steps: 30, refresh: hour },
  year: { label: 'Year', words: 'the last 52 weeks', milliseconds: 364 * day, steps: 52, refresh: hour },
};

/** The start and end of a span whose last step is the current one. Steps begin at round times of this place. */
export function spanUpTo(now: number, name: SpanName): { since: number; until: number; steps: number } {
  const { milliseconds, steps } = spans[name];
  const width = milliseconds / steps;
  const shift = new Date(now).getTimezoneOffset() * minute;
  const until = (Math.floor((now - shift) / width) + 1) * width + shift;
  return { since: until - milliseconds, until, steps };
}
