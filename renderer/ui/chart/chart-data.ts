import { roundTimes, spanText } from '../time/index.ts';

/** One step of a chart's time; milliseconds since 1970. */
export interface ChartStep {
  since: number;
  until: number;
}

export interface ChartSeries {
  key: string;
  label: string;
  /** A colour of theme/tokens.css. */
  token: `--${string}`;
  /** One for each step; null: nothing to show. */
  values: readonly (number | null)[];
  /** Dashed, so that lines differ in more than colour. */
  dash?: readonly number[];
}

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** The edges of a stack: each series on top of those before it. */
export function stacked(series: readonly ChartSeries[]): number[][] {
  const edges: number[][] = [];
  for (const { values } of series) {
    const below = edges.at(-1);
    edges.push(values.map((value, index) => (value ?? 0) + (below?.[index] ?? 0)));
  }
  return edges;
}

/** Where a line has a value and neither neighbour has. A point is drawn there, because no line can be. */
export function lonely(values: readonly (number | null | undefined)[]): number[] {
  return values.flatMap((value, index) =>
    value != null && values[index - 1] == null && values[index + 1] == null ? [index] : [],
  );
}

/** Whether there is anything to draw. */
export function isBlank(series: readonly ChartSeries[]): boolean {
  return series.every(({ values }) => values.every((value) => value === null || value === 0));
}

/** The labels of the axis of time: round times, and the end where that is now. */
export function axisMarks(
  since: number,
  until: number,
  { most, endsNow }: { most: number; endsNow: boolean },
): { at: number; text: string }[] {
  const marks = roundTimes(since, until, most);
  if (!endsNow) {
    return marks;
  }
  const room = ((until - since) / Math.max(1, most)) * 0.75;
  return [...marks.filter(({ at }) => until - at >= room), { at: until, text: 'now' }];
}

/** A step in local time: `3 Mar 14:00–15:00`, `3 Mar 22:00 – 4 Mar 10:00`, `3 Mar`. */
export function stepText({ since, until }: ChartStep): string {
  const [from, to] = [new Date(since), new Date(until)];
  const [fromDay, toDay] = [dayText(from), dayText(to)];
  const startsDay = from.getHours() === 0 && from.getMinutes() === 0;
  const next = new Date(from.getFullYear(), from.getMonth(), from.getDate() + 1);
  if (startsDay && next.getTime() === until) {
    return fromDay;
  }
  return fromDay === toDay || next.getTime() === until
    ? `${fromDay} ${clock(from)}–${clock(to)}`
    : `${fromDay} ${clock(from)} – ${toDay} ${clock(to)}`;
}

/** How long a step is: `30 min`, `6 h`, `day`, `week`. */
export function stepLength(steps: readonly ChartStep[]): string {
  const step = steps.at(-1);
  const hours = step ? Math.round((step.until - step.since) / 60_000) / 60 : 0;
  return hours === 24 ? 'day' : hours === 168 ? 'week' : hours === 1 ? 'hour' : spanText(hours * 3_600_000);
}

/** The values at one step, in one line. */
export function valuesText(
  series: readonly ChartSeries[],
  index: number,
  format: (value: number) => string,
): string {
  return series
    .map(({ label, values }) => {
      const value = values[index] ?? null;
      return `${label} ${value === null ? '–' : format(value)}`;
    })
    .join(', ');
}

/** The step that a key moves to. Null: the key does nothing here. */
export function movedBy(key: string, at: number | null, count: number): number | null {
  const last = count - 1;
  switch (key) {
    case 'ArrowLeft':
      return Math.max(0, (at ?? count) - 1);
    case 'ArrowRight':
      return Math.min(last, (at ?? last) + 1);
    case 'PageUp':
      return Math.min(last, (at ?? last) + 10);
    case 'PageDown':
      return Math.max(0, (at ?? count) - 10);
    case 'Home':
      return 0;
    case 'End':
      return last;
    default:
      return null;
  }
}

function dayText(date: Date): string {
  return `${date.getDate()} ${months[date.getMonth()]}`;
}

function clock(date: Date): string {
  return `${String(date.getHours()).padStart(2, '0')}:${String(date.getMinutes()).padStart(2, '0')}`;
}
