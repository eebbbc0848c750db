/** The value below which the fraction `q` of the numbers lie, by nearest rank. */
export function quantile(numbers: readonly number[], q: number): number {
  const sorted = [...numbers].sort((a, b) => a - b);
  const value = sorted[Math.min(sorted.length - 1, Math.max(0, Math.ceil(q * sorted.length) - 1))];
  if (value === undefined) {
    throw new RangeError('no numbers');
  }
  return value;
}

export function median(numbers: readonly number[]): number {
  return quantile(numbers, 0.5);
}

/** The median of `count` runs, in milliseconds. */
export async function timeMedian(count: number, run: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < count; round++) {
    const start = performance.now();
    await run();
    times.push(performance.now() - start);
  }
  return median(times);
}
