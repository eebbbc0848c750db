import { z } from 'zod';

/** A duration in config.yaml: a whole number with s, m, h or d, such as `30s`, `15m`, `8h`, `90d`. */
export const durationText = z
  .string()
  .regex(/^[1-9]\d{0,5}[smhd]$/, 'expected a number with s, m, h or d, such as 15m');

const unitMilliseconds: Readonly<Record<string, number>> = {
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};

/** A `durationText` in milliseconds; null for any other text. */
export function durationMilliseconds(text: string): number | null {
  if (!durationText.safeParse(text).success) {
    return null;
  }
  return Number(text.slice(0, -1)) * (unitMilliseconds[text.slice(-1)] ?? 0);
}
