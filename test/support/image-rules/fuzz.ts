import { normaliseAuthKey } from '../../../main/domain/image/auth-keys.ts';
import { seededRandom } from '../storm-random.ts';
import type { Question } from './questions.ts';

/** What images, patterns and keys are made of, and what parsers trip over. */
const pieces: readonly string[] = [
  ...[
    'a',
    'b',
    'ab',
    'io',
    'docker',
    'index',
    'library',
    'localhost',
    'A',
    'x1',
    '0',
    '10',
    '255',
    'ä',
    '\u212a',
  ],
  ...[
    '.',
    '.',
    '.',
    '/',
    '/',
    '/',
    ':',
    '*',
    '*',
    '-',
    '_',
    '__',
    '..',
    '//',
    '?',
    '#',
    '@',
    '%',
    '[',
    ']',
    ' ',
    '~',
  ],
  ...[
    '%2f',
    '%2F',
    '%25',
    '%41',
    '%ff',
    '%c3%a4',
    '%zz',
    '%5b',
    '%20',
    '\\',
    '"',
    '^',
    '\n',
    '\u007f',
    '+',
    '&',
    '|',
  ],
  ...[
    'docker.io',
    'index.docker.io',
    'a.io',
    '*.io',
    ':5000',
    ':',
    ':80',
    '[::1]',
    '[::1]:5000',
    '[fe80::1%25e]',
    '::',
  ],
  ...[
    '/v1/',
    '/v2/',
    'v1',
    'https://',
    'http://',
    'HTTPS://',
    'user@',
    'user:pass@',
    ':1.25',
    ':latest',
    '/team',
    '/',
  ],
  ...[`@sha256:${'a'.repeat(64)}`, `@sha256:${'A'.repeat(64)}`, '@sha512:ab', '@md5:'.concat('0'.repeat(32))],
];

/** Well-formed ones, to be changed a little. */
const images: readonly string[] = [
  ...[
    'a.io/team/app',
    'a.b.io/app',
    'a.io:5000/team/app',
    'docker.io/library/nginx',
    'localhost:5000/app',
    'ab.io',
  ],
  ...[
    '[::1]:5000/app',
    '10.0.0.1/app',
    'index.docker.io/library/x',
    'nginx',
    'team/app:1',
    'A.io/app',
    'x.a.b.io/a/b',
  ],
];
const patterns: readonly string[] = [
  ...[
    'a.io',
    '*.io',
    '*.b.io',
    'a.io/team',
    'a.io:5000',
    '*:5000',
    'docker.io',
    'index.docker.io',
    'a*.io',
    '*b.io/app',
  ],
  ...[
    '[::1]:5000',
    '10.0.0.1',
    'localhost',
    '*.*',
    'https://a.io/v1/',
    'http://b.io',
    'a.io/v2/team',
    'user@a.io',
    '*',
  ],
];

/** As many questions of each kind, always the same for the same seed. */
export function fuzzed(
  op: 'match' | 'lookup' | 'normalise',
  seed: number,
  count: number,
): readonly Question[] {
  const random = seededRandom(seed);
  const below = (limit: number) => Math.floor(random() * limit);
  const pick = (from: readonly string[]) => from[below(from.length)] ?? '';
  /** One of them with up to three pieces put in or in the place of a part, or pieces alone. */
  const text = (from: readonly string[]) => {
    let made = random() < 0.15 ? '' : pick(from);
    for (let changes = below(4) + (made === '' ? 3 : 0); changes > 0; changes--) {
      const at = below(made.length + 1);
      made = made.slice(0, at) + pick(pieces) + made.slice(at + below(3));
    }
    // Half a pair of UTF-16 is no text.
    return made.toWellFormed();
  };
  /** One that a pattern may cover, in the most cases. */
  const imageFor = (pattern: string) =>
    random() < 0.6
      ? pattern.replaceAll('*', () => pick(['a', 'x1', 'a.b', ''])) + pick(['', '/', '/app', '/team/app'])
      : text(images);
  const make: Record<typeof op, () => Question> = {
    match: () => {
      const pattern = text(patterns);
      return { op: 'match', pattern, image: imageFor(pattern) };
    },
    normalise: () => ({ op: 'normalise', image: text(images) }),
    lookup: () => {
      const keys = Array.from({ length: 1 + below(3) }, () =>
        unlike(Array.from({ length: below(5) }, () => text(patterns))),
      );
      return { op: 'lookup', keys, image: imageFor(pick(keys.flat()).replace(/^https?:\/\//, '')) };
    },
  };
  return Array.from({ length: count }, make[op]);
}

/** Where two keys of one provider are one, the kubelet’s order is by chance. */
function unlike(keys: readonly string[]): string[] {
  return [...new Map(keys.map((key) => [normaliseAuthKey(key), key])).values()];
}
