const units = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1_000],
] as const;

const most = 999_999;

/** A duration as config.yaml has it, in the largest unit that is exact; else rounded down: a cache may end early. */
export function cacheText(milliseconds: number): { text: string; exact: boolean } {
  if (milliseconds < 1_000) {
    return { text: '0s', exact: milliseconds === 0 };
  }
  const whole = units.find(([, size]) => milliseconds % size === 0 && milliseconds / size <= most);
  if (whole) {
    return { text: `${milliseconds / whole[1]}${whole[0]}`, exact: true };
  }
  const [unit, size] = units.findLast(([, each]) => milliseconds / each <= most) ?? units[0];
  return { text: `${Math.min(most, Math.floor(milliseconds / size))}${unit}`, exact: false };
}
