import { z } from 'zod';

/** Any value that JSON can hold, of at most so many bytes as its text. */
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

/** Null where JSON can’t hold it: it holds itself, a number that isn’t one, or is nested too deep to be written. */
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
