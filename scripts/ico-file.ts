/** One size of an .ico. */
export interface IcoPicture {
  size: number;
  /** Four bytes for each pixel, from the top. */
  rgba: Uint8Array;
  png: Uint8Array;
}

/**
 * A Windows icon of several sizes. Large ones are stored as PNG, the others as bitmaps: not all that reads an .ico takes
 * a small PNG.
 */
export function icoFile(pictures: readonly IcoPicture[]): Buffer {
  const datas = pictures.map((picture) => (picture.size >= 256 ? Buffer.from(picture.png) : bitmap(picture)));
  const head = Buffer.alloc(6 + 16 * pictures.length);
  head.writeUInt16LE(1, 2);
  head.writeUInt16LE(pictures.length, 4);
  let offset = head.length;
  for (const [at, { size }] of pictures.entries()) {
    const entry = 6 + 16 * at;
    const data = datas[at] ?? Buffer.alloc(0);
    // 256 is written as 0.
    head.writeUInt8(size % 256, entry);
    head.writeUInt8(size % 256, entry + 1);
    head.writeUInt16LE(1, entry + 4);
    head.writeUInt16LE(32, entry + 6);
    head.writeUInt32LE(data.length, entry + 8);
    head.writeUInt32LE(offset, entry + 12);
    offset += data.length;
  }
  return Buffer.concat([head, ...datas]);
}

/** A BITMAPINFOHEADER, the pixels from the bottom as BGRA, and a mask that says nothing: alpha says it all. */
function bitmap({ size, rgba }: IcoPicture): Buffer {
  const header = Buffer.alloc(40);
  header.writeUInt32LE(40, 0);
  header.writeInt32LE(size, 4);
  header.writeInt32LE(2 * size, 8);
  header.writeUInt16LE(1, 12);
  header.writeUInt16LE(32, 14);
  const pixels = Buffer.alloc(size * size * 4);
  for (let y = 0; y < size; y++) {
    for (let x = 0; x < size; x++) {
      const from = ((size - 1 - y) * size + x) * 4;
      const [red = 0, green = 0, blue = 0, alpha = 0] = rgba.subarray(from, from + 4);
      pixels.set([blue, green, red, alpha], (y * size + x) * 4);
    }
  }
  return Buffer.concat([header, pixels, Buffer.alloc(Math.ceil(size / 32) * 4 * size)]);
}
