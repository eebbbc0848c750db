import { z } from 'zod';

/** A length of time as people write it in config.yaml: `30s`, `15m`, `8h`, `90d`. */
export const durationText = z
  .string()
  .regex(/^[1-9]\d{0,5}[smhd]$/, 'expected a number with s, m, h or d, such as 15m');

const unitMilliseconds: Readonly<Record<string, number>> = {
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};

/** Milliseconds of a text that `durationText` takes; null for any other. */
export function durationMilliseconds(text: string): number | null {
  if (!durationText.safeParse(text).success) {
    return null;
  }
  return Number(text.slice(0, -1)) * (unitMilliseconds[text.slice(-1)] ?? 0);
}
