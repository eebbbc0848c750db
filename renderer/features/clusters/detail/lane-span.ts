import type { CallOutput } from '../../../../main/contract/ui/calls/index.ts';
import { spanText } from '../../../ui/time/index.ts';

type Past = CallOutput<'cluster.lane'>;

const hour = 3_600_000;
const day = 24 * hour;

/** The spans of the lane, from an hour to a year. */
export const spans = [
  { value: 'hour', label: 'Hour', length: hour },
  { value: 'sixHours', label: '6 hours', length: 6 * hour },
  { value: 'day', label: 'Day', length: day },
  { value: 'week', label: 'Week', length: 7 * day },
  { value: 'month', label: 'Month', length: 30 * day },
  { value: 'year', label: 'Year', length: 365 * day },
] as const;
export type SpanName = (typeof spans)[number]['value'];

/** The visible time. `until` null: it follows the clock. */
export interface Looking {
  span: SpanName;
  until: number | null;
}

/** The share of the future when it follows the clock. */
const aheadShare = 0.3;

function lengthOf(span: SpanName): number {
  return spans.find(({ value }) => value === span)?.length ?? hour;
}

/** The start and end of the visible time. Rounded to steps, so that a passing second causes no request. */
export function windowOf({ span, until }: Looking, now: number): { since: number; until: number } {
  const length = lengthOf(span);
  const step = length / 120;
  const end = Math.ceil((until ?? now + length * aheadShare) / step) * step;
  return { since: Math.round(end - length), until: Math.round(end) };
}

/** Zooms in (-1) or out (+1). Keeps the middle. */
export function zoomed(looking: Looking, by: -1 | 1): Looking {
  const index = spans.findIndex(({ value }) => value === looking.span) + by;
  const next = spans[Math.max(0, Math.min(spans.length - 1, index))]?.value ?? looking.span;
  const [before, after] = [lengthOf(looking.span), lengthOf(next)];
  return {
    span: next,
    until: looking.until === null ? null : looking.until - before / 2 + after / 2,
  };
}

/** Moves to earlier (a negative share of the visible time) or later, but not beyond the time that follows the clock. */
export function panned(looking: Looking, share: number, now: number): Looking {
  const length = lengthOf(looking.span);
  const latest = now + length * aheadShare;
  const until = (looking.until ?? latest) + share * length;
  return { ...looking, until: until >= latest ? null : until };
}

/** One event, for a list. */
export interface Happened {
  key: string;
  at: number;
  words: string;
  /** How long that credential was the current one, until now if it still is. Null: it is a moment. */
  lasted: number | null;
  current: boolean;
  bad: boolean;
}

export const whyWords: Readonly<Record<Past['segments'][number]['why'], string>> = {
  ahead: 'Renewed automatically',
  // A program's request near its expiry, or the user's Renew now: the history doesn't tell which.
  due: 'Renewed on demand',
  needed: 'Fetched on demand',
  rejected: 'Renewed after a 401',
  loggedIn: 'After a login',
  found: 'Loaded as stored',
};

/** How long a credential was the current one. Nothing for less than a second, nor for a moment. */
export function lastedText(lasted: number | null): string {
  return lasted === null || lasted < 1_000 ? '' : spanText(lasted);
}

/** Each credential and each mark, newest first. */
export function happenedIn({ segments, marks }: Past, now: number): Happened[] {
  return [
    ...segments.map(
      ({ from, until, why, count, current }): Happened => ({
        key: `s${from}`,
        at: from,
        words: count > 1 ? `${count} credentials, the last: ${whyWords[why].toLowerCase()}` : whyWords[why],
        lasted: Math.max(0, Math.min(until ?? now, now) - from),
        current,
        bad: false,
      }),
    ),
    ...marks.map(
      ({ at, words, kind, what }): Happened => ({
        key: `m${at}${what}`,
        at,
        words,
        lasted: null,
        current: false,
        bad: kind !== 'login',
      }),
    ),
  ].sort((a, b) => b.at - a.at);
}

/** The event at a moment: a mark near it, else the credential of that time. `near`: milliseconds. */
export function happenedAt(happened: readonly Happened[], at: number, near: number): Happened | null {
  const mark = happened.find((each) => each.lasted === null && Math.abs(each.at - at) <= near);
  const of = happened.find(
    (each) => each.lasted !== null && each.at <= at && (each.current || each.at + each.lasted >= at),
  );
  return mark ?? of ?? null;
}
