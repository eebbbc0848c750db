/** The longest that a provider is left alone because it asked for it. */
const longestSeconds = 3600;

/**
 * Retry-After (RFC 9110, 10.2.3), seconds or a date, as integer seconds, an hour at most. A date counts from the
 * answer's own `Date`: this machine's clock may be off. Null: it has no usable value.
 */
export function retryAfterSeconds(
  value: string | undefined,
  date: string | undefined,
  now: number,
): number | null {
  if (value === undefined) {
    return null;
  }
  const sentAt = Date.parse(date ?? '');
  const seconds = /^\d{1,10}$/.test(value)
    ? Number(value)
    : Math.ceil((Date.parse(value) - (Number.isNaN(sentAt) ? now : sentAt)) / 1000);
  return seconds > 0 ? Math.min(seconds, longestSeconds) : null;
}

/** What createFetch left of it in an answer. */
export function retryAfterOf(headers: Headers): number | undefined {
  const value = headers.get('retry-after');
  return value === null ? undefined : Number(value);
}
