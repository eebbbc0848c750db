import { encode } from 'uqr';

/**
 * A QR code as the path of an SVG: one unit for each module, with the quiet zone of four modules that ISO/IEC 18004
 * requires.
 */
export function qrPath(text: string): { size: number; path: string } {
  const { data, size } = encode(text, { ecc: 'M', border: 4 });
  const rows = data.map((row, y) => rowPath(row, y));
  return { size, path: rows.join('') };
}

/** Joins neighbours into one rectangle, so that no thin lines appear between them. */
function rowPath(row: readonly boolean[], y: number): string {
  let path = '';
  for (let x = 0; x < row.length; x++) {
    if (row[x]) {
      const start = x;
      while (row[x + 1]) {
        x++;
      }
      path += `M${start} ${y}h${x - start + 1}v1H${start}z`;
    }
  }
  return path;
}
