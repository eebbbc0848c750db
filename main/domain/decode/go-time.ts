const layout = /^(\d{4})-(\d\d)-(\d\d)T(\d{1,2}):(\d\d):(\d\d)(?:[.,](\d+))?(?:Z|([+-])(\d\d):(\d\d))$/;

/** The first instant of the year 1: what Go takes for no time at all. */
const zeroTime = Date.parse('0001-01-01T00:00:00Z');

export type GoTime = { ok: true; milliseconds: number | null } | { ok: false };

/**
 * A time of RFC 3339 as Go's time.Parse takes it: with an hour of one digit and a comma before the fraction, too, and
 * no day that its month hasn't. Milliseconds since 1970; null: Go's zero time, which means none.
 */
export function parseGoTime(text: string): GoTime {
  const [
    ,
    year = '',
    month = '',
    day = '',
    hour = '',
    minute = '',
    second = '',
    fraction = '',
    sign,
    ...offset
  ] = layout.exec(text) ?? [];
  const date = new Date(`${year}-${month}-${day}T00:00:00Z`);
  const [offsetHours = 0, offsetMinutes = 0] = offset.map((part) => Number(part ?? 0));
  if (
    // A day that isn't moves Date to another month.
    Number.isNaN(date.getTime()) ||
    date.getUTCDate() !== Number(day) ||
    Number(hour) > 23 ||
    Number(minute) > 59 ||
    Number(second) > 59 ||
    // As Go has it: it takes offsets of 24 hours, and of 60 minutes.
    offsetHours > 24 ||
    offsetMinutes > 60
  ) {
    return { ok: false };
  }
  const east = (offsetHours * 60 + offsetMinutes) * (sign === '-' ? -1 : 1);
  const seconds = (Number(hour) * 60 + Number(minute) - east) * 60 + Number(second);
  const whole = date.getTime() + seconds * 1000;
  const isZero = whole === zeroTime && !/[1-9]/.test(fraction.slice(0, 9));
  return { ok: true, milliseconds: isZero ? null : whole + Number(fraction.slice(0, 3).padEnd(3, '0')) };
}
