import { crc32, deflateSync, inflateSync } from 'node:zlib';

const signature = Buffer.from('89504e470d0a1a0a', 'hex');
/** Bytes of a pixel, by PNG's colour type: RGB and RGBA. */
const pixelBytes: Readonly<Record<number, number>> = { 2: 3, 6: 4 };

/**
 * The same pixels in a quarter fewer bytes: a browser packs its pictures in haste, and plain areas pack best without
 * PNG's filters. Knows what Chromium writes: 8 bits, not interlaced.
 */
export function smallPng(png: Buffer): Buffer {
  const { header, data } = read(png);
  const step = pixelBytes[header.readUInt8(9)];
  if (header.readUInt8(8) !== 8 || step === undefined || header.readUInt8(12) !== 0) {
    throw new Error('a kind of PNG that is not known here');
  }
  const rows = withoutFilters(inflateSync(data), header.readUInt32BE(0) * step, step);
  const packed = deflateSync(rows, { level: 9, memLevel: 9 });
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', packed),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function read(png: Buffer): { header: Buffer; data: Buffer } {
  const found = new Map<string, Buffer[]>();
  for (let at = signature.length; at < png.length; ) {
    const length = png.readUInt32BE(at);
    const name = png.toString('latin1', at + 4, at + 8);
    found.set(name, [...(found.get(name) ?? []), png.subarray(at + 8, at + 8 + length)]);
    at += 12 + length;
  }
  return { header: found.get('IHDR')?.[0] ?? Buffer.alloc(13), data: Buffer.concat(found.get('IDAT') ?? []) };
}

/** Each row with the filter `none` (PNG, 9.2). */
function withoutFilters(raw: Buffer, width: number, step: number): Buffer {
  const rows = Buffer.from(raw);
  for (let start = 0; start < rows.length; start += width + 1) {
    const kind = rows.readUInt8(start);
    rows.writeUInt8(0, start);
    for (let x = 1; x <= width; x += 1) {
      const at = start + x;
      const left = x > step ? (rows[at - step] ?? 0) : 0;
      const up = start > 0 ? (rows[at - width - 1] ?? 0) : 0;
      const upLeft = x > step && start > 0 ? (rows[at - width - 1 - step] ?? 0) : 0;
      rows[at] = ((rows[at] ?? 0) + predicted(kind, left, up, upLeft)) & 255;
    }
  }
  return rows;
}

function predicted(kind: number, left: number, up: number, upLeft: number): number {
  switch (kind) {
    case 1:
      return left;
    case 2:
      return up;
    case 3:
      return (left + up) >> 1;
    case 4: {
      const [a, b, c] = [Math.abs(up - upLeft), Math.abs(left - upLeft), Math.abs(left + up - 2 * upLeft)];
      return a <= b && a <= c ? left : b <= c ? up : upLeft;
    }
    default:
      return 0;
  }
}

function chunk(name: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(name, 'latin1'), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, sum]);
}
