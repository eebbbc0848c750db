import { z } from 'zod';

/** Any JSON value that is passed on as it is, and whose text has at most `maxBytes` bytes in UTF-8. */
export function jsonValue(maxBytes: number) {
  return z.unknown().superRefine((value, context) => {
    const message = faultOf(value, maxBytes);
    if (message !== null) {
      context.addIssue({ code: 'custom', message });
    }
  });
}

function faultOf(value: unknown, maxBytes: number): string | null {
  if (value === undefined) {
    return null;
  }
  const read = jsonText(value);
  if (!read.ok && read.fault === lostDigits) {
    return read.fault;
  }
  return read.ok && new TextEncoder().encode(read.text).length <= maxBytes
    ? null
    : `expected JSON of at most ${maxBytes / 1024} KiB`;
}

/** In words that continue the value’s name. */
export const lostDigits = 'holds a number that would lose digits: put it in quotes';

/**
 * A number is passed on as Kubernetes’ own JSON passes it on: a fraction is a double, and 1.0 is 1. But Go keeps whole
 * numbers of 64 bits, of which JavaScript rounds those beyond 2^53 when it reads them. JSON has no infinity.
 */
export function keepsDigits(number: number): boolean {
  return Number.isFinite(number) && (!Number.isInteger(number) || Number.isSafeInteger(number));
}

/** The text of a value’s JSON. It has none for a cycle, an infinity, a function, or too many levels. */
export function jsonText(value: unknown): { ok: true; text: string } | { ok: false; fault: string } {
  let fault = 'is no JSON';
  // JSON.stringify itself leaves out what it doesn’t know, or makes null of it.
  const onlyJson = (_: string, each: unknown) => {
    const isNumber = typeof each === 'number';
    if (isNumber && !keepsDigits(each)) {
      fault = lostDigits;
    }
    if (isNumber ? !keepsDigits(each) : /symbol|function/.test(typeof each)) {
      throw new TypeError(fault);
    }
    return each;
  };
  try {
    const text = JSON.stringify(value, onlyJson) as string | undefined;
    return text === undefined ? { ok: false, fault } : { ok: true, text };
  } catch {
    return { ok: false, fault };
  }
}
