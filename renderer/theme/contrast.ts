/** The contrast of colours in the format of tokens.css. Tests check the theme against WCAG's limits. */

export interface Pair {
  light: string;
  dark: string;
}

/** All tokens of the form `light-dark(oklch(…), oklch(…))`. */
export function colourPairs(css: string): ReadonlyMap<string, Pair> {
  const pairs = new Map<string, Pair>();
  for (const [, name = '', light = '', dark = ''] of css.matchAll(
    /(--[\w-]+): light-dark\((oklch\([^)]*\)), (oklch\([^)]*\))\)/g,
  )) {
    pairs.set(name, { light, dark });
  }
  return pairs;
}

/** WCAG 2.2's contrast ratio, 1 to 21. */
export function contrast(one: string, other: string): number {
  const [a, b] = [luminance(one), luminance(other)];
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}

/**
 * Relative luminance: converts OKLCH to linear sRGB (Ottosson's matrices), clips it to the gamut as a screen does,
 * then weights it.
 */
function luminance(oklch: string): number {
  const [, l, c, h] = /^oklch\(([\d.]+)% ([\d.]+) ([\d.]+)\)$/.exec(oklch) ?? [];
  const [lightness, chroma, hue] = [Number(l) / 100, Number(c), (Number(h) * Math.PI) / 180];
  if (!Number.isFinite(lightness + chroma + hue)) {
    throw new Error(`not a colour that can be computed: ${oklch}`);
  }
  const [a, b] = [chroma * Math.cos(hue), chroma * Math.sin(hue)];
  const long = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const medium = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const short = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  const cut = (value: number) => Math.min(1, Math.max(0, value));
  const red = cut(4.0767416621 * long - 3.3077115913 * medium + 0.2309699292 * short);
  const green = cut(-1.2684380046 * long + 2.6097574011 * medium - 0.3413193965 * short);
  const blue = cut(-0.0041960863 * long - 0.7034186147 * medium + 1.707614701 * short);
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
