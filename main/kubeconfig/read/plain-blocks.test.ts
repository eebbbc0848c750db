import { describe, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { largeKubeconfig } from '../../../test/support/large-kubeconfig.ts';
import { isLong } from '../../../test/support/long.ts';
import { seededRandom } from '../../../test/support/storm-random.ts';
import { readPlainBlocks as read } from '../../base/plain-blocks.ts';
import { resolvePlainScalar } from './plain-scalar.ts';
import { parseYamlTree } from './yaml-tree.ts';
import type { YamlValue } from './yaml-value.ts';

const readPlainBlocks = (text: string) =>
  read(text, (source) => {
    const value = resolvePlainScalar(source);
    return Number.isFinite(value) || typeof value !== 'number' ? value : undefined;
  });

/** A tab in a last comment is another layout, and changes nothing else. */
const readAsAllOfYaml = (text: string) => parseYamlTree(`${text}\n#\t`);

/** All of a value, with its places. */
function plain(value: YamlValue): unknown {
  switch (value.kind) {
    case 'scalar':
      return value;
    case 'list':
      return { ...value, items: value.items().map(plain) };
    case 'map':
      return {
        ...value,
        entries: [...value.entries()].map(([name, entry]) => [name, entry.keyOffset, plain(entry.value)]),
      };
  }
}

const kinds = ['token', 'clientCertificate', 'execPlugin', 'kubelogin'] as const;
const written = (await largeKubeconfig({ contexts: 4, kinds, bytes: 9000 })).text;
const value = {
  apiVersion: 'v1',
  clusters: [{ name: 'on', cluster: { server: 'https://h', extensions: [{ name: 'e', extension: null }] } }],
  users: [{ name: 'a b', user: { exec: { args: ['get-token', '12', '--x=y', ''], env: [] } } }],
  preferences: {},
  'current-context': '',
};
const hint =
  'Install gke-gcloud-auth-plugin for use with kubectl by following https://cloud.google.com/blog/x';
const folded = { users: [{ name: hint, user: { exec: { installHint: hint, args: [hint, 'x'], env: [] } } }] };
const layouts: [string, string][] = [
  ['kubectl', written],
  ['an indented list', stringify(value)],
  ['a list at its key', stringify(value, { indentSeq: false })],
  ['wide', stringify(value, { indent: 4 })],
  ['quoted', stringify(value, { defaultStringType: 'QUOTE_DOUBLE', defaultKeyType: 'PLAIN' })],
  ['folded', stringify(folded)],
  ['single quotes', stringify(value, { defaultStringType: 'QUOTE_SINGLE', defaultKeyType: 'PLAIN' })],
];

describe('the layouts of kubectl and its like are read, as by all of YAML', () => {
  test.each(layouts)('%s', (_name, text) => {
    const root = readPlainBlocks(text);
    expect(root && plain(root)).toEqual(plain(readAsAllOfYaml(text).root));
  });

  test.each([
    ['comments and empty lines', '# a\n\na: 1\n  # b\n\nb:\n# c\n  c: x\n\n'],
    ['values of each kind', 'a: 012\nb: 0x1f\nc: yes\nd: ~\ne: 1_000\nf: 2026-01-01\ng: v1\nh: -1\ni: .5\n'],
    ['nothing after a key', 'a:\nb:   \nc:\n- d:\n  e:\n- f:\n'],
    ['a colon, a hash and quotes within', `a: x:y#z\nb: it's "so"\nc: http://h:1/#x\n`],
    ['no line end', 'a: b'],
    ['spaces at the end', 'a: b  \nc: "d"  \n'],
    ['a value that goes on', 'a: b c  \n  d\n    https://h/#x  \n e\nf:\n- g: 1\n   2\n- h\n  i\n'],
  ])('%s', (_name, text) => {
    const root = readPlainBlocks(text);
    expect(root && plain(root)).toEqual(plain(readAsAllOfYaml(text).root));
  });
});

test.each([
  ['nothing', ''],
  ['a scalar', 'a\n'],
  ['a list at the top', '- a\n'],
  ['a document’s beginning', '---\na: b\n'],
  ['an anchor', 'a: &b c\n'],
  ['an alias', 'a: *b\n'],
  ['a tag', 'a: !!str 1\n'],
  ['a merge', 'a:\n  <<: b\n'],
  ['a block of text', 'a: |\n  b\n'],
  ['a value over an empty line', 'a: b\n\n  c\n'],
  ['a value over a comment', 'a: b\n  # c\n  d\n'],
  ['a value that goes on with a key', 'a: b\n  c: d\n'],
  ['a value that goes on with a dash', 'a: b\n  - c\n'],
  ['a value that goes on with a comment', 'a: b\n  c # d\n'],
  ['a value that goes on after quotes', 'a: "b"\n  c\n'],
  ['a value that goes on after braces', 'a: {}\n  c\n'],
  ['thousands of levels', Array.from({ length: 3000 }, (_, level) => `${' '.repeat(level)}a:\n`).join('')],
  ['quotes over two lines', 'a: "b\n  c"\n'],
  ['escapes', 'a: "\\n"\n'],
  ['doubled quotes', `a: 'it''s'\n`],
  ['braces', 'a: { b: c }\n'],
  ['a comment after a value', 'a: b # c\n'],
  ['the same key twice', 'a: b\na: c\n'],
  ['a key that is no text', 'on: b\n'],
  ['a key in quotes', '"a": b\n'],
  ['a map in a value', 'a: b: c\n'],
  ['a list in a list', 'a:\n- - b\n'],
  ['another indentation', 'a:\n  b: c\n d: e\n'],
  ['a tab', 'a:\tb\n'],
  ['another line end', 'a: b\r\n'],
  ['infinity', 'a: .inf\n'],
  ['half a surrogate pair', 'a: \ud800\n'],
])('%s is left to the parser of all of YAML', (_name, text) => {
  expect(readPlainBlocks(text)).toBeNull();
});

test('whatever is changed in a text, what is read of it is what all of YAML reads', () => {
  const random = seededRandom(7);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const pieces = [
    ...' \n-:#"\'{}[]&*!|>%@`,?~.\\',
    '- ',
    ': ',
    ' #',
    '\n  ',
    '\n- ',
    'on',
    'null',
    '0',
    '<<',
    '...',
    'a: b\n',
    '\n      x y',
  ];
  let read = 0;
  const rounds = isLong ? 6_000 : 1_000;
  for (let round = 0; round < rounds; round++) {
    // Small ones, where each place is hit often.
    let text = round % 3 === 0 ? pick(layouts)[1].slice(0, 1500) : pick(layouts.slice(1))[1];
    for (let changes = 1 + Math.floor(random() * 3); changes > 0; changes--) {
      const at = Math.floor(random() * text.length);
      const gone = Math.floor(random() * 4);
      text = text.slice(0, at) + (random() < 0.8 ? pick(pieces) : '') + text.slice(at + gone);
    }
    const root = readPlainBlocks(text);
    if (root) {
      read++;
      const whole = readAsAllOfYaml(text);
      expect({ errors: whole.errors, warnings: whole.warnings, root: plain(root) }, text).toEqual({
        errors: [],
        warnings: [],
        root: plain(whole.root),
      });
    }
  }
  expect(read).toBeGreaterThan(rounds / 12);
});
