/** A share of 0 to 1 in percent: two digits behind the point where it is small; never 0 where it isn't none. */
export function shareText(share: number): string {
  const percent = share * 100;
  if (percent > 0 && percent < 0.01) {
    return 'less than 0.01%';
  }
  return `${percent >= 10 ? Math.round(percent) : percent.toFixed(2)}%`;
}
