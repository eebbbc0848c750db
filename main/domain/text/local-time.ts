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
