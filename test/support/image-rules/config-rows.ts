import type { Files, Question } from './questions.ts';

const group = 'kubelet.config.k8s.io';
export const v1 = 'credentialprovider.kubelet.k8s.io/v1';

const head = (version = 'v1', kind = 'CredentialProviderConfig') =>
  `apiVersion: ${group}/${version}\nkind: ${kind}\n`;

const fields: Readonly<Record<string, string>> = {
  name: 'a',
  matchImages: '["*.io"]',
  defaultCacheDuration: '10m',
  apiVersion: v1,
};

/** One provider; a field that is null is left out. */
export function provider(changed: Readonly<Record<string, string | null>> = {}): string {
  const lines = Object.entries({ ...fields, ...changed }).flatMap(([name, value]) =>
    value === null ? [] : [`  ${name}: ${value}\n`],
  );
  return `-${lines.join('').slice(1)}`;
}

export function config(...providers: string[]): string {
  return `${head()}providers:\n${providers.join('')}`;
}

const json = (value: unknown) => JSON.stringify(value);
const whole = {
  apiVersion: `${group}/v1`,
  kind: 'CredentialProviderConfig',
  providers: [{ name: 'a', matchImages: ['a.io'], defaultCacheDuration: '1h', apiVersion: v1 }],
};
const tokens = (changed: Readonly<Record<string, string | null>> = {}) => {
  const all = {
    serviceAccountTokenAudience: 'aud',
    cacheType: 'Token',
    requireServiceAccount: 'true',
    ...changed,
  };
  const said = Object.entries(all).filter(([, value]) => value !== null);
  return provider({ tokenAttributes: `{${said.map(([name, value]) => `${name}: ${value}`).join(', ')}}` });
};
const durations = [
  ...[
    '0',
    '0s',
    '-0s',
    '1ns',
    '1us',
    '1\u00b5s',
    '1\u03bcs',
    '1.5ms',
    '1h30m',
    '90m',
    '+5s',
    '.5s',
    '5.s',
    '-1h',
  ],
  ...[
    '1d',
    '1',
    '"5"',
    '5',
    '""',
    '.s',
    '1h ',
    '1 h',
    'h',
    'abc',
    '1e3s',
    'true',
    '[1s]',
    '{a: 1}',
    '~',
    '1.0000000001s',
  ],
  ...[
    '9223372036854775807ns',
    '9223372036854775808ns',
    '-9223372036854775808ns',
    '2562047h47m16.854775807s',
    '9999999h',
  ],
  ...['1.1h', '0.000000001s', '1ms1us1ns', '"1\\"s"', '1\u00e4', '3.7777777777777777777777777h'],
];
const names = ['a b', 'a/b', '.', '..', '...', '""', '"./ /"', 'ä', '1', 'true', 'null', '[a]', 'yes', '0x1'];
const keys = [
  ...[
    'a',
    'A',
    'example.com/A',
    '/a',
    'a/',
    'a/b/c',
    'EXAMPLE.com/a',
    'ex_ample.com/a',
    '-a',
    'a-',
    'a b',
    'ä',
  ],
  ...['x'.repeat(63), 'x'.repeat(64), `${'p'.repeat(253)}/a`, `${'p'.repeat(254)}/a`],
];
const patterns = [
  ...[
    '"[::1"',
    '"%zz"',
    '"a b"',
    '"[::g]"',
    '"a.io:port"',
    '"a:b:c"',
    '"a\\tb"',
    '"us er@a.io"',
    '"é%aé"',
    '"a^b"',
  ],
  ...[
    '""',
    '"?"',
    '"[ab].io"',
    '"[10.0.0.1]"',
    '"[fe80::1%25]"',
    '"[fe80::1%25a%5cb]"',
    '"a.io#%zz"',
    '"https://a.io"',
  ],
];

/** Files, each alone in its configuration. */
const texts: readonly string[] = [
  config(provider()),
  ...['v1alpha1', 'v1beta1'].map((version) => `${head(version)}providers:\n${provider()}`),
  ...['v1alpha1', 'v1beta1'].map(
    (version) => `${head(version)}providers:\n${provider({ tokenAttributes: '{}', foo: '1' })}`,
  ),
  ...['v1', 'v1beta1', 'v1alpha1', 'v2', ''].map((version) =>
    config(provider({ apiVersion: version === '' ? '""' : `credentialprovider.kubelet.k8s.io/${version}` })),
  ),
  config(provider({ args: '[get, --x]', env: '[{name: A, value: b}, {name: C, value: ""}, {name: D}]' })),
  config(provider({ args: 'null', env: 'null', tokenAttributes: 'null' })),
  config(provider({ args: '[null, a]' })),
  config(provider({ env: '[null]' })),
  config(provider({ args: '[1]' })),
  config(provider({ args: '{a: b}' })),
  config(provider({ env: '[{name: 1}]' })),
  config(provider({ env: '[{name: A, value: b, valueFrom: x}]' })),
  config(provider({ env: '[[A, b]]' })),
  config(provider({ foo: '1' })),
  config(provider({ Name: 'b' })),
  config(provider({ 'x.y': '1', '"q\\"z"': '2' })),
  config(`${provider()}  name: b\n`),
  config(`${provider()}  foo: 1\n  foo: 2\n`),
  config(provider({ foo: '1' }), provider({ name: 'b', matchImages: '5' })),
  config(provider({ matchImages: '5', args: '6' })),
  config(provider({ matchImages: '5', defaultCacheDuration: '1d' })),
  `${head()}kind: CredentialProviderConfig\nproviders:\n${provider()}`,
  `${head()}foo: {bar: 1}\nproviders:\n${provider({ bar: '2' })}`,
  head(),
  `${head()}providers: []\n`,
  `${head()}providers: null\n`,
  `${head()}providers: {}\n`,
  `${head()}providers: a\n`,
  `${head()}providers: [null]\n`,
  `${head()}providers: [1]\n`,
  `${head()}providers: [[]]\n`,
  `${head()}providers: [{}]\n`,
  `${head('v2')}providers:\n${provider()}`,
  `${head('v1', 'CredentialProviderRequest')}providers:\n${provider()}`,
  `${head('v1', 'credentialproviderconfig')}providers:\n${provider()}`,
  `${head('v1', '""')}providers: []\n`,
  `${head('v1', '1')}providers: []\n`,
  `apiVersion: v1\nkind: CredentialProviderConfig\n`,
  `apiVersion: ${v1}\nkind: CredentialProviderConfig\n`,
  `apiVersion: a/b/c\nkind: CredentialProviderConfig\n`,
  `apiVersion: ${group}/\nkind: CredentialProviderConfig\n`,
  `apiVersion: /v1\nkind: CredentialProviderConfig\n`,
  `apiVersion: /\nkind: CredentialProviderConfig\n`,
  `apiVersion: 1\nkind: CredentialProviderConfig\n`,
  'kind: CredentialProviderConfig\n',
  `apiVersion: ${group}/v1\n`,
  `apiversion: ${group}/v1\nKind: CredentialProviderConfig\nproviders:\n${provider()}`,
  `${config(provider())}---\nfoo: bar\n`,
  `---\n${config(provider())}`,
  config(provider({ matchImages: '&m [a.io]' }), provider({ name: 'b', matchImages: '*m' })),
  config(
    `- &p\n  name: a\n  matchImages: [a.io]\n  defaultCacheDuration: 1s\n  apiVersion: ${v1}\n- {<<: *p, name: b}\n`,
  ),
  config(
    `- &p\n  name: a\n  matchImages: [a.io]\n  defaultCacheDuration: 1s\n  apiVersion: ${v1}\n- {name: b, <<: *p}\n`,
  ),
  ...[
    '',
    '\n',
    '# nothing\n',
    'nginx',
    '- a\n',
    '1',
    'null',
    '"a"',
    '{',
    '{}',
    'a: [',
    'a: b: c',
    '\ta: b',
    '{a: b}',
  ],
  json(whole),
  json({ ...whole, foo: 1 }),
  json({ ...whole, providers: [{ ...whole.providers[0], tokenAttributes: { foo: 1 } }] }),
  `${json(whole)} x`,
  `${json(whole)}\n`,
  `\n ${json(whole)}`,
  `\ufeff${json(whole)}`,
  json(whole).replace('"name":"a"', '"name":"a","name":"b"'),
  json(whole).replace('"name":"a"', '"name":"a","foo":{"x":1,"x":2},"foo":3'),
  json(whole).replace('"providers"', '"Providers"'),
  json(whole).slice(0, -1),
  ...durations.map((duration) => config(provider({ defaultCacheDuration: duration }))),
  ...names.map((name) => config(provider({ name }))),
  ...patterns.map((pattern) => config(provider({ matchImages: `[a.io, ${pattern}]` }))),
  config(provider({ matchImages: `[${patterns.join(', ')}]` })),
  config(provider({ matchImages: '[]' })),
  config(provider({ matchImages: 'null' })),
  config(provider({ matchImages: '[null]' })),
  ...Object.keys(fields).map((name) => config(provider({ [name]: null }))),
  config(provider({ matchImages: null, apiVersion: null, defaultCacheDuration: '-1s', name: '"a b/c"' })),
  config(provider({ matchImages: null }), provider({ name: 'b', matchImages: null })),
  config(tokens()),
  ...['serviceAccountTokenAudience', 'cacheType', 'requireServiceAccount'].map((name) =>
    config(tokens({ [name]: null })),
  ),
  config(tokens({ serviceAccountTokenAudience: '""' })),
  ...['ServiceAccount', 'token', '""', '1', 'null', '"<a&b>"'].map((type) =>
    config(tokens({ cacheType: type })),
  ),
  ...['false', 'null', '"true"', 'yes', '1'].map((word) => config(tokens({ requireServiceAccount: word }))),
  ...keys.map((key) => config(tokens({ requiredServiceAccountAnnotationKeys: `["${key}"]` }))),
  config(tokens({ requiredServiceAccountAnnotationKeys: '[a, a, b]' })),
  config(tokens({ optionalServiceAccountAnnotationKeys: '[a, a, A]' })),
  config(tokens({ requireServiceAccount: 'false', requiredServiceAccountAnnotationKeys: '[a]' })),
  config(tokens({ requireServiceAccount: 'false', optionalServiceAccountAnnotationKeys: '[a]' })),
  config(
    tokens({
      requiredServiceAccountAnnotationKeys: '[b, a]',
      optionalServiceAccountAnnotationKeys: '[c, a, b]',
    }),
  ),
  config(tokens({ audience: 'x' })),
  config(tokens({ requireServiceAccount: null, requiredServiceAccountAnnotationKeys: '[a]' })),
  config(provider({ tokenAttributes: '{}' })),
  config(provider({ tokenAttributes: '[]' })),
  config(provider({ apiVersion: `${v1}beta1`, tokenAttributes: '{serviceAccountTokenAudience: a}' })),
  config(provider(), provider()),
  config(provider({ name: null }), provider({ name: null })),
  config(provider(), provider({ name: 'b', matchImages: '["*.io"]' })),
];

const folders: readonly Files[] = [
  { 'a.yaml': config(provider()), 'b.yaml': config(provider({ name: 'b' })) },
  { 'b.yaml': config(provider({ name: 'first' })), 'a.yaml': config(provider({ name: 'second' })) },
  { '10.json': json(whole), '9.yml': config(provider({ name: 'b' })) },
  { 'a.yaml': config(provider()), 'b.yaml': config(provider()) },
  { 'a.yaml': config(provider({ matchImages: null })), 'b.yaml': config(provider({ foo: '1' })) },
  { 'a.yaml': config(provider(), provider()), 'b.yaml': 'nginx' },
  { 'a.yaml': head(), 'b.yaml': head('v1beta1') },
];

export const configRows: readonly Question[] = [...texts.map((text) => ({ 'c.yaml': text })), ...folders].map(
  (files): Question => ({ op: 'config', files }),
);
