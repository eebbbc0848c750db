import { encode } from 'uqr';
import { expect, it } from 'vitest';
import { qrPath } from './qr-path.ts';

it('draws each dark module, and no other', () => {
  const text = 'https://id.example.com/device?user_code=WDJB-MJHT';
  const { size, path } = qrPath(text);
  const drawn = Array.from({ length: size }, () => new Array<boolean>(size).fill(false));
  for (const [, x, y, wide] of path.matchAll(/M(\d+) (\d+)h(\d+)v1H\d+z/g)) {
    drawn[Number(y)]?.fill(true, Number(x), Number(x) + Number(wide));
  }
  expect(drawn).toEqual(encode(text, { ecc: 'M', border: 4 }).data);
});
