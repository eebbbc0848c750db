/** `812 B`, `1.5 KiB`, `12 MiB`: in powers of 1024, with one digit after the point below 10. */
export function byteText(bytes: number): string {
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];
  let [value, unit] = [bytes, 0];
  while (value >= 1024 && unit < units.length - 1) {
    value /= 1024;
    unit += 1;
  }
  const text =
    unit === 0 || value >= 10 ? String(Math.floor(value)) : (Math.floor(value * 10) / 10).toFixed(1);
  return `${text} ${units[unit]}`;
}
