import { toBytes } from './go-quote.ts';

const units: Readonly<Record<string, bigint>> = {
  ns: 1n,
  us: 1_000n,
  // The micro sign, and the Greek mu.
  '\u00b5s': 1_000n,
  '\u03bcs': 1_000n,
  ms: 1_000_000n,
  s: 1_000_000_000n,
  m: 60_000_000_000n,
  h: 3_600_000_000_000n,
};

const most = 1n << 63n;

export type GoDuration = { ok: true; nanoseconds: bigint } | { ok: false; message: string };

/** A duration as Go's time.ParseDuration reads it (`1h30m`, `-1.5s`, `0`), with its errors. */
export function parseGoDuration(text: string): GoDuration {
  const sign = /^[-+]/.exec(text)?.[0] ?? '';
  let rest = text.slice(sign.length);
  if (rest === '0') {
    return { ok: true, nanoseconds: 0n };
  }
  let sum = rest === '' ? null : 0n;
  while (rest !== '' && sum !== null) {
    const [number = '', whole = '', fraction = ''] = /^([0-9]*)(?:\.([0-9]*))?/.exec(rest) ?? [];
    if (whole === '' && fraction === '') {
      return wrong('invalid duration', text);
    }
    const [name = ''] = /^[^.0-9]*/.exec(rest.slice(number.length)) ?? [];
    if (name === '') {
      return wrong('missing unit in duration', text);
    }
    const unit = Object.hasOwn(units, name) ? units[name] : undefined;
    // Go reads the digits first.
    if (unit === undefined && BigInt(whole || 0) <= most) {
      return wrong(`unknown unit ${quote(name)} in duration`, text);
    }
    sum = add(sum, BigInt(whole || 0), fraction, unit ?? most);
    rest = rest.slice(number.length + name.length);
  }
  if (sum === null || (sum === most && sign !== '-')) {
    return wrong('invalid duration', text);
  }
  return { ok: true, nanoseconds: sign === '-' ? -sum : sum };
}

/** Null: more than Go can count. */
function add(sum: bigint, whole: bigint, fraction: string, unit: bigint): bigint | null {
  if (whole > most / unit) {
    return null;
  }
  // In floating point, as Go has it, and no more digits than fit.
  const digits = fittingDigits(fraction);
  const part = Number(digits || 0) * (Number(unit) / 10 ** digits.length);
  const total = sum + whole * unit + BigInt(Math.trunc(part));
  return total > most ? null : total;
}

function fittingDigits(fraction: string): string {
  let length = 0;
  for (let value = 0n; length < fraction.length; length++) {
    const next = value * 10n + BigInt(fraction[length] ?? 0);
    if (value > (most - 1n) / 10n || next > most) {
      break;
    }
    value = next;
  }
  return fraction.slice(0, length);
}

/** As Go's Duration.String writes it: `1h30m0s`, `1.5s`, `10ms`, `0s`. */
export function formatGoDuration(nanoseconds: bigint): string {
  const size = nanoseconds < 0n ? -nanoseconds : nanoseconds;
  const sign = nanoseconds < 0n ? '-' : '';
  if (size === 0n) {
    return '0s';
  }
  for (const [name, unit] of [
    ['ns', 1n],
    ['\u00b5s', 1_000n],
    ['ms', 1_000_000n],
  ] as const) {
    if (size < unit * 1_000n) {
      return `${sign}${decimal(size, unit)}${name}`;
    }
  }
  const minutes = size / 60_000_000_000n;
  const seconds = decimal(size % 60_000_000_000n, 1_000_000_000n);
  const hours = minutes / 60n;
  const before = hours > 0n ? `${hours}h${minutes % 60n}m` : minutes > 0n ? `${minutes}m` : '';
  return `${sign}${before}${seconds}s`;
}

function decimal(size: bigint, unit: bigint): string {
  const fraction = (size % unit).toString().padStart(unit.toString().length - 1, '0');
  return unit === 1n ? `${size}` : `${size / unit}.${fraction}`.replace(/\.?0+$/, '') || '0';
}

function wrong(what: string, text: string): GoDuration {
  return { ok: false, message: `time: ${what} ${quote(text)}` };
}

/** As Go's package time has it: other than strconv.Quote it shows bytes. */
function quote(text: string): string {
  const shown = toBytes(text).replaceAll(/["\\]|[^\x20-\x7f]/g, (byte) =>
    byte === '"' || byte === '\\' ? `\\${byte}` : `\\x${byte.charCodeAt(0).toString(16).padStart(2, '0')}`,
  );
  return `"${shown}"`;
}
