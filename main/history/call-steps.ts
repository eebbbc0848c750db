import { dayMilliseconds, hourMilliseconds } from '../domain/figures/plugin-objectives.ts';
import type { CallsQuery, Span } from '../ports/history-figures.ts';

/** The steps of a query: equal, and of full hours (or days, where a step is that long) as they are summed up. */
export interface Steps extends Span {
  width: number;
  /** Whether the sums of hours say all that is wanted. */
  isWholeHours: boolean;
}

export function stepsOf({ since, until, steps }: CallsQuery): Steps {
  const width = Math.max(1, Math.ceil((until - since) / steps));
  if (width < hourMilliseconds) {
    return { since, until, width, isWholeHours: false };
  }
  const from = Math.floor(since / hourMilliseconds) * hourMilliseconds;
  const unit = width > dayMilliseconds ? dayMilliseconds : hourMilliseconds;
  const whole = Math.ceil(width / unit) * unit;
  return {
    since: from,
    until: from + Math.ceil((until - from) / whole) * whole,
    width: whole,
    isWholeHours: true,
  };
}

/** Each step of these, in their order. */
export function spansOf({ since, until, width }: Steps): Span[] {
  const count = Math.max(0, Math.ceil((until - since) / width));
  return Array.from({ length: count }, (_, index) => ({
    since: since + index * width,
    until: Math.min(until, since + (index + 1) * width),
  }));
}
