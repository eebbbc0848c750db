/** A time in the local zone, RFC 3339 with this machine's offset: `2026-03-01T14:05:09.120+01:00`. */
export function localTime(milliseconds: number, precision: 'seconds' | 'milliseconds' = 'seconds'): string {
  const date = new Date(milliseconds);
  if (Number.isNaN(date.getTime())) {
    return 'unknown';
  }
  const offset = -date.getTimezoneOffset();
  // The wall clock's digits, as if they were UTC's.
  const digits = new Date(milliseconds + offset * 60_000).toISOString().slice(0, -1);
  const sign = offset < 0 ? '-' : '+';
  const two = (value: number) => String(value).padStart(2, '0');
  const zone = `${sign}${two(Math.floor(Math.abs(offset) / 60))}:${two(Math.abs(offset) % 60)}`;
  return `${precision === 'seconds' ? digits.slice(0, -4) : digits}${zone}`;
}

/** A time in a table’s row, local and to the second: `14:05:09`, on another day than `now` `1 Mar 14:05:09`. */
export function rowTime(at: number, now: number): string {
  const date = new Date(at);
  if (Number.isNaN(date.getTime())) {
    return 'unknown';
  }
  const clock = localTime(at).slice(11, 19);
  const today = new Date(now);
  if (date.toDateString() === today.toDateString()) {
    return clock;
  }
  const day = `${date.getDate()} ${date.toLocaleString('en-US', { month: 'short' })}`;
  const isThisYear = date.getFullYear() === today.getFullYear();
  return `${day} ${isThisYear ? '' : `${date.getFullYear()} `}${clock}`;
}
