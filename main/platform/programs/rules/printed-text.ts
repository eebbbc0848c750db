/**
 * What a program printed, as text. One that begins with the mark of UTF-16, as PowerShell writes it, is read so; the
 * mark stays. Bytes that are no text become U+FFFD.
 */
export function printedText(bytes: Buffer): string {
  switch (bytes.length < 2 ? 0 : bytes.readUInt16BE(0)) {
    case 0xfffe:
      return bytes.toString('utf16le');
    case 0xfeff:
      return Buffer.from(bytes.subarray(0, bytes.length & ~1))
        .swap16()
        .toString('utf16le');
    default:
      return bytes.toString('utf8');
  }
}
