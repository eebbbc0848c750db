import {
  type ImagePattern,
  imageTarget,
  matchesImage,
  parseImagePattern,
} from '../../main/domain/image/image-pattern.ts';
import { type Figures, failures } from './figure.ts';
import { timeMedian } from './statistics.ts';

const count = 1_000;

/** As a registry’s users have them; and the worst, of which all but the last piece is found. */
const kinds = {
  'of four kinds': (number: number) =>
    [
      `registry${number}.example.com`,
      `*.dkr.ecr.*.amazonaws.com/team${number}`,
      `*${number}*.azurecr.io`,
      `registry.example.com:5000/team${number}`,
    ][number % 4] ?? '',
  'with 30 stars each': (number: number) => `${'*a'.repeat(30)}*${number}b*.*.*.io`,
};
const images = [
  '123456789012.dkr.ecr.eu-west-1.amazonaws.com/team1/app',
  `${'a'.repeat(63)}.x.y.io/team/app`,
  `registry.example.com:5000/${'x'.repeat(10_000)}`,
];

/** An image against 1,000 patterns, none of which is left out after a match. */
export async function* imageFigures(rounds: number): Figures {
  let matched = 0;
  for (const [kind, pattern] of Object.entries(kinds)) {
    const patterns = Array.from({ length: count }, (_, number) => parsed(pattern(number)));
    const times: number[] = [];
    for (const image of images) {
      times.push(
        await timeMedian(rounds, async () => {
          const target = imageTarget(image);
          matched += patterns.filter((each) => matchesImage(each, target)).length;
        }),
      );
    }
    yield {
      what: `an image against ${count} patterns ${kind}: median of the slowest of ${images.length} images`,
      value: Math.max(...times),
      unit: 'ms',
      reference: null,
      limit: { kind: 'atMost', value: 1 },
    };
  }
  // One pattern covers the first image, in each round.
  yield failures('of these matches, wrong', Math.abs(matched - rounds));
}

function parsed(text: string): ImagePattern {
  const read = parseImagePattern(text);
  if (!read.ok) {
    throw new Error(read.message);
  }
  return read.pattern;
}
