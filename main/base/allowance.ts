/** What somebody may do: so much at once, and so much a second after that. */
export interface Allowance {
  atOnce: number;
  perSecond: number;
}

/** Counts what is taken against an allowance; `take` is false where there is too little left. */
export function createAllowance(
  { atOnce, perSecond }: Allowance,
  clock: { boottime(): number },
): { take(amount: number): boolean } {
  let left = atOnce;
  let at = clock.boottime();
  return {
    take(amount) {
      const now = clock.boottime();
      left = Math.min(atOnce, left + ((now - at) / 1000) * perSecond);
      at = now;
      const enough = left >= amount;
      left -= enough ? amount : 0;
      return enough;
    },
  };
}
