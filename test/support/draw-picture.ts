import type { Page } from 'playwright';

export interface Drawn {
  size: number;
  png: Buffer;
  /** Four bytes for each pixel, from the top. */
  rgba: Buffer;
}

/** A picture (an SVG, or a PNG's bytes) in so many pixels, square, drawn by the page. */
export async function drawPicture(page: Page, picture: string | Buffer, size: number): Promise<Drawn> {
  const type = typeof picture === 'string' ? 'image/svg+xml' : 'image/png';
  const url = `data:${type};base64,${Buffer.from(picture).toString('base64')}`;
  const drawn: { png: string; rgba: string } = await page.evaluate(
    `(${inPage})(${JSON.stringify({ url, size })})`,
  );
  return { size, png: Buffer.from(drawn.png, 'base64'), rgba: Buffer.from(drawn.rgba, 'base64') };
}

/** Text, since scripts are compiled without a browser's types. */
const inPage = `async ({ url, size }) => {
  const image = new Image();
  image.src = url;
  await image.decode();
  const canvas = Object.assign(document.createElement('canvas'), { width: size, height: size });
  const context = canvas.getContext('2d');
  context.drawImage(image, 0, 0, size, size);
  const { data } = context.getImageData(0, 0, size, size);
  let text = '';
  for (const byte of data) {
    text += String.fromCharCode(byte);
  }
  return { png: canvas.toDataURL('image/png').split(',')[1], rgba: btoa(text) };
}`;
