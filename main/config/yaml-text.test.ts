import { describe, expect, test, vi } from 'vitest';
import { isLong } from '../../test/support/long.ts';
import { seededRandom } from '../../test/support/storm-random.ts';
import { parseYamlText } from './yaml-text.ts';

const faultsOf = (text: string) =>
  parseYamlText(text).faults.map(({ place, message }) => `${place.line}:${place.column} ${message}`);

test.each([
  ['at the top', 'a: 1\nb: 2\na: 3\n', ['3:1']],
  ['further down, in a list', 'x:\n  - a: 1\n    b: 2\n    a: 3\n', ['4:5']],
  ['between braces', 'x: { a: 1, a: 2 }\n', ['1:12']],
  ['quoted once', 'a: 1\n"a": 2\n', ['2:1']],
  ['three times', 'a: 1\na: 2\na: 3\n', ['2:1', '3:1']],
  ['in several places', 'x: { a: 1, a: 2 }\ny: { a: 1 }\nx: 2\n', ['1:12', '3:1']],
])('a key that stands twice %s is a fault at its place', (_name, text, places) => {
  expect(faultsOf(text)).toEqual(places.map((place) => `${place} map keys must be unique`));
});

test('the same key in two mappings is none, nor is a number beside its text', () => {
  expect(faultsOf('x: { a: 1 }\ny: { a: 1 }\n1: a\n"1": b\n')).toEqual([]);
});

test('faults come in the order of their places', () => {
  expect(faultsOf('a: 1\na: 2\nb: "\\q"\n').map((fault) => fault.slice(0, 3))).toEqual(['2:1', '3:5']);
});

describe('a text in the layout that programs write is read as all of YAML reads it', () => {
  /** A tab in a last comment is another layout, and changes nothing else. */
  const readings = (text: string) =>
    [text, `${text}\n#\t`].map((each) => {
      const { faults, value, placeOf, document } = parseYamlText(each);
      if (faults.length > 0) {
        return 'faulty'; // where, the added line may change
      }
      const places = [placeOf(['clusters', 'one', 'server'], 'value'), placeOf(['accounts'], 'key')];
      return { value: valueFrom(value), places, errors: document.errors };
    });
  const valueFrom = (value: () => unknown) => {
    try {
      return value();
    } catch {
      return 'an alias without an anchor';
    }
  };
  const written = `# mine
version: 1
accounts:
  corp:
    oidc:
      issuer: https://id.example.com
      scopes:
        - openid
        - groups
  me@x:
    staticToken: {}
clusters:
  one:
    server: https://10.0.0.1:6443
    insecureSkipTlsVerify: true
    account: corp
history:
  keep: 90d
`;

  test.each([
    ['as it is', written],
    [
      'with other scalars',
      'a: 1\nb: 0\nc: 012\nd: 1.5\ne: True\nf: ~\ng: Null\nh:\ni: 0x1f\nj: -1\nk: .inf\nl: "1"\n',
    ],
    ['with names that are no text', 'true: a\nnull: b\n'],
    ['with a name of objects', '__proto__: a\nconstructor:\n  __proto__: b\n'],
  ])('%s', (_name, text) => {
    const [plain, all] = readings(text);
    expect(plain).toEqual(all);
  });

  test('and whatever is changed in it', () => {
    const random = seededRandom(11);
    const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
    const pieces = [
      ...' \n-:#"\'{}[]&*!|>%@`,?~.',
      '- ',
      ': ',
      ' #',
      '\n  ',
      'null',
      '0',
      '1',
      'true',
      'a: b\n',
    ];
    for (let round = 0; round < (isLong ? 1_000 : 200); round++) {
      const at = Math.floor(random() * written.length);
      const text = written.slice(0, at) + pick(pieces) + written.slice(at + Math.floor(random() * 3));
      const [plain, all] = readings(text);
      expect(plain, text).toEqual(all);
    }
  });
});

test('nothing of a text is told by a warning', () => {
  const warned = vi.spyOn(process, 'emitWarning').mockReturnValue(undefined);
  parseYamlText('? { pasted: here }\n: a\n').value();
  expect(warned.mock.calls).toEqual([]);
});

describe('what would keep the broker busy for long is refused at once', () => {
  const many = 260_000;
  test.each([
    ['lines', `version: 1\n${'\n'.repeat(many)}`, '250000:1'],
    ['items', `a: [${'x,'.repeat(many)}]\n`, '1:500002'],
    ['keys', `{${'a:'.repeat(many)}}\n`, '1:500001'],
  ])('%s', (_name, text, place) => {
    expect(faultsOf(text)).toEqual([expect.stringContaining(`${place} too many entries`)]);
    expect(parseYamlText(text).placeOf(['a'], 'value')).toEqual({ line: 1, column: 1 });
  });

  test('anchors and aliases', () => {
    const text = (count: number) =>
      `a: [${Array.from({ length: count }, (_, index) => `&a${index} x, *a${index}`).join(', ')}]\n`;
    expect(faultsOf(text(1000))).toEqual([]);
    expect(faultsOf(text(1001))).toEqual(['1:1 more than 2000 anchors (&) and aliases (*)']);
  });

  test('but a long text alone is not', () => {
    expect(faultsOf(`a: ${'x'.repeat(4 * many)}\n`)).toEqual([]);
  });
});
