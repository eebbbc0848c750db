import { z } from 'zod';

/** Any JSON value whose text has at most `maxBytes` bytes in UTF-8. */
export function jsonValue(maxBytes: number) {
  return z
    .unknown()
    .refine((value) => fits(value, maxBytes), { error: `expected JSON of at most ${maxBytes / 1024} KiB` });
}

function fits(value: unknown, maxBytes: number): boolean {
  if (value === undefined) {
    return true;
  }
  const text = jsonText(value);
  return text !== null && new TextEncoder().encode(text).length <= maxBytes;
}

/** Null for a value that JSON can’t represent: a cycle, NaN or an infinity, or too deeply nested. */
function jsonText(value: unknown): string | null {
  const odd = (_: string, each: unknown) => {
    if (typeof each === 'number' && !Number.isFinite(each)) {
      throw new TypeError('not a number of JSON');
    }
    return each;
  };
  try {
    return JSON.stringify(value, odd) ?? null;
  } catch {
    return null;
  }
}
