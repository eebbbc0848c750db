import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { trayShapes } from '../../app/tray/tray-state.ts';
import { type IconFile, iconFiles } from '../../scripts/icon-files.ts';
import { launchChromium } from '../support/chromium.ts';
import { drawPicture } from '../support/draw-picture.ts';

const folder = join(import.meta.dirname, '..', '..', 'app', 'icons');

/** The pictures of an .ico that are bitmaps: size, and alpha from the top. */
function bitmapsOf(ico: Buffer): { size: number; alpha: number[] }[] {
  return Array.from({ length: ico.readUInt16LE(4) }, (_, at) => {
    const entry = 6 + 16 * at;
    const size = ico.readUInt8(entry) || 256;
    const data = ico.subarray(ico.readUInt32LE(entry + 12));
    const rows = Array.from({ length: size === 256 ? 0 : size }, (_, y) =>
      Array.from({ length: size }, (_, x) => data.readUInt8(40 + ((size - 1 - y) * size + x) * 4 + 3)),
    );
    return { size, alpha: rows.flat() };
  });
}

/** As on a dark panel, in grey: the edge that is for light ones is not seen there. */
const greyOf = (rgba: Buffer) =>
  alphaOf(rgba).map((alpha, at) => {
    const [red = 0, green = 0, blue = 0] = rgba.subarray(4 * at, 4 * at + 3);
    return ((0.21 * red + 0.72 * green + 0.07 * blue) * alpha) / 255;
  });
const alphaOf = (rgba: Buffer) => [...rgba].filter((_, at) => at % 4 === 3);
/** How far two pictures are apart, 0 to 1: what of one's ink isn't where the other's is. */
function apart(one: readonly number[], other: readonly number[]): number {
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
  return sum(one.map((value, at) => Math.abs(value - (other[at] ?? 0)))) / Math.max(sum(one), sum(other));
}

describe('the pictures', () => {
  let browser: Browser;
  let page: Page;
  beforeAll(async () => {
    browser = await launchChromium();
    page = await browser.newPage();
  });
  afterAll(() => browser?.close());

  it('are all there, and nothing else is', () => {
    const found = readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name));
    expect(found.sort()).toEqual(
      iconFiles()
        .map(({ path }) => join(folder, path))
        .sort(),
    );
  });

  /** Another Chromium may round otherwise: a moved line is more than that. */
  async function expectDrawn({ path, svg, sizes }: IconFile): Promise<void> {
    const bytes = readFileSync(join(folder, path));
    if (path.endsWith('.ico')) {
      const found = bitmapsOf(bytes);
      expect(found.map(({ size }) => size)).toEqual(sizes);
      for (const { size, alpha } of found.filter((each) => each.size < 256)) {
        expect(apart(alpha, alphaOf((await drawPicture(page, svg, size)).rgba))).toBeLessThan(0.02);
      }
      return;
    }
    const [size = 0] = sizes;
    expect([bytes.readUInt32BE(16), bytes.readUInt32BE(20)]).toEqual([size, size]);
    // Smaller than the largest are: a moved line shows all the same.
    const looked = Math.min(size, 128);
    const [is, should] = [await drawPicture(page, bytes, looked), await drawPicture(page, svg, looked)];
    expect(apart([...is.rgba], [...should.rgba])).toBeLessThan(0.02);
  }

  it('are those of the drawings: npm run icons', async () => {
    for (const file of iconFiles()) {
      await expectDrawn(file);
    }
  });

  it.each([
    ['16', '-light.ico'],
    ['18', 'Template.png'],
    ['22', '-panel.png'],
  ])('differ in shape at %s pixels, whatever their colours', async (size, ending) => {
    const shapes: [string, number[]][] = [];
    for (const shape of trayShapes) {
      const bytes = readFileSync(join(folder, 'tray', `${shape}${ending}`));
      const alpha = ending.endsWith('.ico')
        ? (bitmapsOf(bytes)[0]?.alpha ?? [])
        : (ending === '-panel.png' ? greyOf : alphaOf)((await drawPicture(page, bytes, Number(size))).rgba);
      shapes.push([shape, alpha]);
    }
    for (const [one, first] of shapes) {
      for (const [other, second] of shapes.filter(([name]) => name !== one)) {
        expect([one, other, apart(first, second) > 0.15]).toEqual([one, other, true]);
      }
    }
  });
});
