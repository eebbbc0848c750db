/** A share of 0 to 1 in percent. Two decimals for small shares. Never 0 for a share that isn't zero. */
export function shareText(share: number): string {
  const percent = share * 100;
  if (percent > 0 && percent < 0.01) {
    return 'less than 0.01%';
  }
  return `${percent >= 10 ? Math.round(percent) : percent.toFixed(2)}%`;
}
