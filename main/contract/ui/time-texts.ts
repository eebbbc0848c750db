const [second, minute, hour, day] = [1000, 60_000, 3_600_000, 86_400_000];
const month = 30.44 * day;
const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** The time left, in milliseconds, as `42 min`, `6 d 4 h`, `11 mo`; null: `never expires`. Rounded down. */
export function leftText(milliseconds: number | null): string {
  if (milliseconds === null) {
    return 'never expires';
  }
  return milliseconds <= 0 ? 'ended' : amount(milliseconds);
}

/**
 * A duration in milliseconds as `14 s`, `1 min 29 s`, `60 min`, `1 h 30 min`: the only words for one, for pages, terminals and messages.
 * Rounded down.
 */
export function spanText(milliseconds: number): string {
  return amount(Math.max(0, milliseconds));
}

/**
 * How far one clock is off another, from the milliseconds that it is ahead (+) or behind (−): `7 min ahead of`. To the
 * minute: the answer that told took its time.
 */
export function aheadText(milliseconds: number): string {
  const minutes = Math.max(1, Math.round(Math.abs(milliseconds) / minute));
  return `${spanText(minutes * minute)} ${milliseconds > 0 ? 'ahead of' : 'behind'}`;
}

/** How long an answer took, from microseconds: `0.9 ms`, `412 ms`, `2.1 s`. */
export function tookText(microseconds: number): string {
  const milliseconds = microseconds / 1000;
  if (milliseconds < 9.95) {
    return `${milliseconds.toFixed(1)} ms`;
  }
  return milliseconds < 999.5 ? `${Math.round(milliseconds)} ms` : `${(milliseconds / 1000).toFixed(1)} s`;
}

/** How long ago, from two times in milliseconds since 1970: `just now`, `3 min ago`, `5 d ago`. */
export function agoText(at: number, now: number): string {
  const milliseconds = now - at;
  return milliseconds < 10 * second ? 'just now' : `${single(milliseconds)} ago`;
}

/**
 * A time (milliseconds since 1970) as local time: `14:31`. With `now`, another day is shown, too: `3 Mar 14:31`, `3 Mar
 * 2027`. The only format of a moment in a sentence, for pages, terminals and messages.
 */
export function clockText(at: number, now: number = at): string {
  const date = new Date(at);
  const clock = `${two(date.getHours())}:${two(date.getMinutes())}`;
  if (midnight(at) === midnight(now)) {
    return clock;
  }
  const dayOfMonth = `${date.getDate()} ${months[date.getMonth()]}`;
  return date.getFullYear() === new Date(now).getFullYear()
    ? `${dayOfMonth} ${clock}`
    : `${dayOfMonth} ${date.getFullYear()}`;
}

function amount(milliseconds: number): string {
  if (milliseconds < minute) {
    return `${Math.floor(milliseconds / second)} s`;
  }
  // The second minute’s seconds are up to half of it.
  if (milliseconds < 2 * minute) {
    return twoUnits(milliseconds, minute, 'min', second, 's');
  }
  // Up to 90 minutes in minutes: an hour’s token lives `60 min`.
  if (milliseconds < 90 * minute) {
    return `${Math.floor(milliseconds / minute)} min`;
  }
  if (milliseconds < day) {
    return twoUnits(milliseconds, hour, 'h', minute, 'min');
  }
  if (milliseconds < 60 * day) {
    return twoUnits(milliseconds, day, 'd', hour, 'h');
  }
  return milliseconds < 24 * month
    ? `${Math.floor(milliseconds / month)} mo`
    : `${Math.floor(milliseconds / (12 * month))} y`;
}

function single(milliseconds: number): string {
  if (milliseconds < minute) {
    return `${Math.floor(milliseconds / second)} s`;
  }
  if (milliseconds < hour) {
    return `${Math.floor(milliseconds / minute)} min`;
  }
  return milliseconds < day ? `${Math.floor(milliseconds / hour)} h` : `${Math.floor(milliseconds / day)} d`;
}

function twoUnits(
  milliseconds: number,
  big: number,
  bigName: string,
  small: number,
  smallName: string,
): string {
  const whole = Math.floor(milliseconds / big);
  const rest = Math.floor((milliseconds - whole * big) / small);
  return rest === 0 ? `${whole} ${bigName}` : `${whole} ${bigName} ${rest} ${smallName}`;
}

function midnight(at: number): number {
  return new Date(at).setHours(0, 0, 0, 0);
}

function two(number: number): string {
  return String(number).padStart(2, '0');
}
