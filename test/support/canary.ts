import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A planted secret and what to call it. */
export interface Canary {
  name: string;
  value: string;
}

/** Where a secret was found, in which form. */
export interface Found {
  canary: string;
  where: string;
}

/** All ways in which a secret may stand in a file or an output: whole, in its parts, and encoded. */
export function formsOf(value: string): Buffer[] {
  const pieces = new Set([value]);
  if (value.includes('-----BEGIN')) {
    // Each line of a PEM's body by itself: the key may stand there with other line breaks.
    for (const line of value.split('\n').filter((each) => each.length >= 32 && !each.startsWith('-'))) {
      pieces.add(line);
    }
  } else if (value.length >= 32) {
    pieces.add(value.slice(0, 16)).add(value.slice(-16));
  }
  const forms = [...pieces].flatMap((piece) => {
    const bytes = Buffer.from(piece);
    const encoded = [encodeURIComponent(piece), JSON.stringify(piece).slice(1, -1), bytes.toString('hex')];
    return [piece, ...encoded, ...base64Forms(bytes)];
  });
  return [...new Set(forms)].map((form) => Buffer.from(form));
}

/** The characters of base64 that depend on these bytes alone, wherever in a longer text they begin. */
function base64Forms(bytes: Buffer): string[] {
  return [0, 1, 2].flatMap((offset) => {
    const padded = Buffer.concat([Buffer.alloc(offset), bytes]);
    const whole = padded.subarray(0, padded.length - (padded.length % 3));
    const inner = (text: string) => text.slice(offset === 0 ? 0 : 4);
    return [inner(whole.toString('base64')), inner(whole.toString('base64url'))];
  });
}

/** Looks for every canary in every text. */
export function findCanaries(
  canaries: readonly Canary[],
  texts: Iterable<{ where: string; bytes: Buffer }>,
): Found[] {
  const needles = canaries.flatMap(({ name, value }) => formsOf(value).map((form) => ({ name, form })));
  const found = new Map<string, Found>();
  for (const { where, bytes } of texts) {
    for (const { name, form } of needles) {
      if (bytes.includes(form)) {
        found.set(`${name} ${where}`, { canary: name, where });
      }
    }
  }
  return [...found.values()];
}

/** Every regular file below a folder. */
export function* filesBelow(folder: string): Generator<{ where: string; bytes: Buffer }> {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) {
      yield* filesBelow(path);
    } else if (entry.isFile()) {
      yield { where: path, bytes: readFileSync(path) };
    }
  }
}
