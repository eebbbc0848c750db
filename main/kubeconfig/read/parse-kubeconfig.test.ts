import { resolve } from 'node:path';
import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import { onWindows } from '../../../test/support/system.ts';
import { parseKubeconfig } from './parse-kubeconfig.ts';

const canary = 'c4n4ry-s3cret';

function problems(text: string): string[] {
  return parseKubeconfig(text, '/f').problems.map(({ line, column, message, severity }) => {
    return `${severity === 'error' ? '' : `${severity} `}${line}:${column} ${message}`;
  });
}

function user(text: string) {
  const { kubeconfig, problems: found } = parseKubeconfig(`users:\n- name: u\n  user: ${text}\n`, '/dir/f');
  expect(found).toEqual([]);
  return kubeconfig?.users.get('u');
}

describe('what is wrong is told with its place', () => {
  test.each<[string, string, string]>([
    [
      'a name that is on',
      'contexts:\n- context: {}\n  name: on\n',
      '3:9 name must be text, and this is true or false',
    ],
    ['a name that is a number', 'users:\n  - name:   123\n', '2:13 name must be text, and this is a number'],
    [
      'a server that is a list',
      'clusters:\n- cluster: {server: []}\n',
      '2:21 server must be text, and this is a list',
    ],
    [
      'a flag in quotes',
      'clusters:\n- cluster: {insecure-skip-tls-verify: "true"}\n',
      '2:39 insecure-skip-tls-verify must be true or false, and this is text; without quotes',
    ],
    ['a list that is a map', 'users: {}\n', '1:8 users must be a list, and this is a map'],
    ['an entry that is text', 'users:\n- me\n', '2:3 an entry of users must be a map, and this is text'],
    ['a text', 'hello\n', '1:1 a kubeconfig must be a map, and this is text'],
    [
      'a name twice',
      'users:\n- name: a\n- user: {}\n  name: a\n',
      '4:9 a second entry of this name in users; kubectl refuses such a file',
    ],
    ['an unclosed quote', 'users:\n- name: "a\n', '3:1 broken YAML: something is missing'],
    ['a tab', 'users:\n\t- name: a\n', '2:1 broken YAML: a tab as indentation'],
    ['an alias of nothing', 'users:\n- name: *a\n', '2:9 an alias without an anchor before it'],
    ['a NUL', 'users:\n- name: "a\0b"\n', '2:11 a control character'],
    ['behind a byte order mark', '\uFEFFusers: x\n', '1:8 users must be a list'],
    ['after CRLF', 'kind: Config\r\nusers: x\r\n', '2:8 users must be a list'],
    ['in JSON', '{\n  "users": [{"name": 12}]\n}', '2:22 name must be text'],
    ['another version', 'apiVersion: v2\n', '1:13 apiVersion must be v1'],
    ['another kind', 'kind: Pod\n', '1:7 kind must be Config'],
    ['two documents', 'kind: Config\n---\nkind: Config\n', 'warning 2:1 more than one document'],
    [
      'a key twice',
      'users:\n- name: a\n  name: b\n',
      'warning 3:3 the same key twice; kubectl takes the last',
    ],
    ['through an alias', 'x: &x 12\nusers:\n- name: *x\n', '3:9 name must be text, and this is a number'],
  ])('%s', (_, text, expected) => {
    expect(problems(text)).toEqual([expect.stringContaining(expected)]);
  });

  test('and not more often than helps', () => {
    expect(problems(`users:\n${'- name: 12\n'.repeat(1000)}`)).toHaveLength(20);
  });

  test('aliases that expand to much are refused, without expanding them', () => {
    const levels = [...'bcdefghijklmnop'].map(
      (each, at) => `${each}: &${each} [${Array(9).fill(`*${'abcdefghijklmno'[at]}`)}]`,
    );
    expect(problems(`a: &a [x,x,x]\n${levels.join('\n')}\nusers: *p\n`)).toEqual([
      'null:null its aliases expand to too much',
    ]);
    const merges = [...'bcdefghijklmnop'].map(
      (each, at) => `${each}: &${each} {<<: [${Array(9).fill(`*${'abcdefghijklmno'[at]}`)}]}`,
    );
    expect(problems(`a: &a {x: y}\n${merges.join('\n')}\n`)).toEqual([
      'null:null its aliases expand to too much',
    ]);
  });

  test('more values than would be read in seconds are refused at once', () => {
    expect(problems(`x: [${'a,'.repeat(500_000)}]`)).toEqual([
      'null:null more values than a kubeconfig has; make several files of it',
    ]);
  });

  test.each([
    ['dashes', `${'- '.repeat(290)}a\n`.repeat(20)],
    ['flow', `x: [${'a,'.repeat(6_000)}]`],
    ['empty lines', `kind: !!str Config${'\n'.repeat(6_000)}`],
    ['comments', `kind: !!str Config${'\n#'.repeat(6_000)}`],
    ['anchors', Array.from({ length: 2_000 }, (_, at) => `k${at}: &a${at} v`).join('\n')],
    ...outOfPlace(6_000),
  ])('so they are where a page asks, with fewer: %s', (_, text) => {
    expect(parseKubeconfig(text, '/f', 5_000).problems).toEqual([
      expect.objectContaining({ message: expect.stringContaining('is too large to be read here') }),
    ]);
  });

  test('text alone is no such part', () => {
    const text = `{"users": [{"name": "u", "user": {"token": "${'x'.repeat(2 * 1024 * 1024)}"}}]}`;
    expect(parseKubeconfig(text, '/f', 50_000).kubeconfig?.users.size).toBe(1);
  });

  test('after errors in a text, other errors have their stacks', () => {
    const { stackTraceLimit } = Error;
    expect(problems(']')).toHaveLength(1);
    expect(Error.stackTraceLimit).toBe(stackTraceLimit);
  });

  test.each([
    ['[', '1:604 nested too deeply'],
    ['{a: ', '1:2404 nested too deeply'],
    ['[[],', '1:2401 nested too deeply'],
    ['- ', '1:2 nested too deeply'],
  ])('nesting that no stack holds is refused at once: %s', (unit, expected) => {
    expect(problems(`a: ${unit.repeat(100_000)}`)).toEqual([expected]);
  });
});

/** Texts of so many tokens, lines or escapes that the parser stumbles over, one by one. */
function outOfPlace(count: number): [string, string][] {
  const many = (piece: string) => piece.repeat(count);
  return [
    ['closing brackets', `kind: !!str Config\n${many(']')}`],
    ['closing braces', `kind: !!str Config\n${many('}')}`],
    ['quotes', `x: [${many('""')}]`],
    ['quotes apart', `x: [${many('"" ')}]`],
    ['aliases', `x: [${many('*a ')}]`],
    ['tags', `x: ${many('!a ')}`],
    ['directives', many('%A\n')],
    ['escapes', `x: "${many('\\z')}"`],
    ['lines in quotes', `x: "${many('a\n ')}"`],
    ['quotes in quotes', `x: '${many("''")}'`],
    ['lines of a block', `x: >\n${many('  a\n')}`],
    ['characters', `x: ["${'x'.repeat(64 * count)}"]`],
  ];
}

test.each([
  `users:\n- name: u\n  user: {token: [${canary}]}\n`,
  `users:\n- name: u\n  user: {token: {${canary}: ${canary}}}\n`,
  `users:\n- name: u\n  user:\n    token: "${canary}\n   x: y\n`,
  `users:\n- name: u\n  user:\n    token: ${canary}: ${canary}\n`,
  `users:\n- name: u\n  user:\n    token: *${canary}\n`,
  `users:\n- name: u\n  user:\n    token: !!int ${canary}\n`,
  `users:\n- name: u\n  user:\n    token: "\\q${canary}"\n`,
  `users:\n- name: u\n  user: [${canary}} ${canary}\n`,
  `${canary}\n`,
  `- ${canary}`,
  `@${canary}`,
  `%${canary}\n---\nusers: ${canary}\n`,
  `users:\n- name: u\n  user: {client-key-data: ${canary}, exec: ${canary}, password: 12, as-groups: ${canary}}\n`,
  `{"users": [{"name": "u", "user": {"token": "${canary}" "x"}}]}`,
])('no problem quotes the text: %s', (text) => {
  const { problems: found } = parseKubeconfig(text, '/f');
  expect(found.length).toBeGreaterThan(0);
  expect(JSON.stringify(found)).not.toContain(canary);
});

test('what is read of a user shows no secret, however it is printed', () => {
  const all = user(
    `{token: ${canary}, password: ${canary}, client-key-data: ${btoa(canary)}, client-certificate-data: ${btoa(canary)},
      exec: {command: x, args: ["${canary}"], env: [{name: A, value: "${canary}"}]},
      auth-provider: {name: oidc, config: {client-secret: ${canary}}}}`.replaceAll(/\s+/g, ' '),
  );
  expect(all?.token?.reveal()).toBe(canary);
  expect(all?.authProvider?.config['client-secret']?.reveal()).toBe(canary);
  expect(all?.exec?.env[0]?.value.reveal()).toBe(canary);
  for (const printed of [JSON.stringify(all), inspect(all, { depth: 9 }), String(all)]) {
    expect(printed).not.toContain(canary);
    expect(printed).not.toContain(btoa(canary));
  }
});

describe('a user', () => {
  test.each([
    // Only what has the system’s own separator is a path (k8s.io/client-go/tools/clientcmd).
    ...(onWindows
      ? [
          ['.\\plugin', resolve('/dir/plugin')],
          ['bin\\plugin', resolve('/dir/bin/plugin')],
          ['..\\plugin', resolve('/plugin')],
          ['C:\\opt\\plugin', 'C:\\opt\\plugin'],
          ['./plugin', './plugin'],
        ]
      : [
          ['./plugin', '/dir/plugin'],
          ['bin/plugin', '/dir/bin/plugin'],
          ['../plugin', '/plugin'],
          ['/opt/plugin', '/opt/plugin'],
          ['.\\plugin', '.\\plugin'],
        ]),
    ['plugin', 'plugin'],
    ['..', '..'],
  ])('whose command is %s runs %s', (command, expected) => {
    expect(user(`{exec: {command: ${command}}}`)?.exec?.command).toBe(expected);
  });

  test('KEP-541/configuration: all that is said of its plugin is read; what is empty is not said', () => {
    const said = `{exec: {apiVersion: client.authentication.k8s.io/v1, command: p, args: [a, ""], provideClusterInfo: true,
      env: [{name: A, value: b}, {name: C}], installHint: "get it", interactiveMode: Never}}`;
    expect(user(said.replaceAll(/\s+/g, ' '))?.exec).toMatchObject({
      ...{ apiVersion: 'client.authentication.k8s.io/v1', command: 'p', provideClusterInfo: true },
      ...{ installHint: 'get it', interactiveMode: 'Never' },
      env: [{ name: 'A' }, { name: 'C' }],
    });
    for (const nothing of ['~', '""']) {
      const unsaid = `apiVersion: ${nothing}, installHint: ${nothing}, interactiveMode: ${nothing}`;
      expect(user(`{exec: {${unsaid}, args: ~, env: ~, provideClusterInfo: ~, command: ~}}`)?.exec).toEqual({
        ...{ apiVersion: null, command: '', args: [], env: [], installHint: null },
        ...{ provideClusterInfo: false, interactiveMode: null },
      });
    }
  });

  test.each<[string, boolean]>([
    ['{}', false],
    ['{as: ""}', false],
    ['{as-groups: []}', false],
    ['{as: x}', true],
    ['{as-uid: "1"}', true],
    ['{as-groups: [g]}', true],
    ['{as-user-extra: {k: [v]}}', true],
  ])('%s acts as somebody else: %s', (text, expected) => {
    expect(user(text)?.impersonates).toBe(expected);
  });

  test('that is empty says nothing', () => {
    expect(user('~')).toMatchObject({
      ...{ token: null, tokenFile: null, clientCertificate: null, clientKey: null },
      ...{ username: null, password: null, authProvider: null, exec: null, unknownKeys: [] },
    });
    expect(user('{token: "", tokenFile: "", username: "", password: ~}')).toMatchObject({
      ...{ token: null, tokenFile: null, username: null, password: null },
    });
  });

  test('tells keys that no one knows', () => {
    expect(user('{token: x, tokenfile: y, extensions: [], Token: z}')?.unknownKeys).toEqual([
      'tokenfile',
      'Token',
    ]);
  });

  test('may have a config with any key', () => {
    const config =
      user('{auth-provider: {name: x, config: {__proto__: a, constructor: b}}}')?.authProvider?.config ?? {};
    expect(Object.keys(config)).toEqual(['__proto__', 'constructor']);
    expect(Object.hasOwn(config, '__proto__')).toBe(true);
  });
});

test('an entry’s place is its first line', () => {
  const text =
    '# c\n\nclusters:\n\n- cluster:\n    server: x\n  name: a\n-\n  name: b\ncontexts: [{name: c},\n  {name: d}]\n';
  const { kubeconfig } = parseKubeconfig(text, '/f');
  const lines = [...(kubeconfig?.clusters.values() ?? []), ...(kubeconfig?.contexts.values() ?? [])];
  expect(lines.map(({ name, origin }) => [name, origin.line])).toEqual([
    ['a', 5],
    ['b', 9],
    ['c', 10],
    ['d', 11],
  ]);
});

describe('KEP-541/cluster-config: what a cluster’s extension says for plugins', () => {
  const execConfig = (cluster: string) => {
    const text = `x: &x [1, 2]\nclusters:\n- name: c\n  cluster: ${cluster}\n`;
    const { kubeconfig, problems: found } = parseKubeconfig(text, '/f');
    expect(found.filter(({ severity }) => severity === 'error')).toEqual([]);
    return kubeconfig?.clusters.get('c')?.execConfig;
  };
  const extension = (value: string) =>
    execConfig(
      `{extensions: [{name: other, extension: {a: b}}, {name: client.authentication.k8s.io/exec, extension: ${value}}]}`,
    );

  test.each<[string, unknown]>([
    [
      '{audience: kube, b: {c: [1, -2.5, true, ~, "no", no, 0x10]}}',
      { audience: 'kube', b: { c: [1, -2.5, true, null, 'no', false, 16] } },
    ],
    ['{aliased: *x}', { aliased: [1, 2] }],
    ['{1: a, true: b}', { 1: 'a', true: 'b' }],
    ['text', 'text'],
    ['[]', []],
    ['{__proto__: {a: b}}', JSON.parse('{"__proto__": {"a": "b"}}')],
  ])('%s', (text, value) => {
    expect(extension(text)).toEqual({ ok: true, value });
  });

  test.each(['{}', '{extensions: ~}', '{extensions: [{name: client.authentication.k8s.io/exec}]}'])(
    '%s: nothing',
    (cluster) => {
      expect(execConfig(cluster)).toBeNull();
    },
  );

  test.each<[string, string]>([
    [`{a: ${'x'.repeat(64 * 1024)}}`, 'is larger than 64 KiB'],
    [`[${'*x,'.repeat(20_000)}]`, 'is larger than 64 KiB'],
    [`${'['.repeat(80)}${']'.repeat(80)}`, 'is nested more than 64 deep'],
    ['12345678901234567890', 'holds a number that would lose digits: put it in quotes'],
  ])('%#: it is left where it can’t be kept as it is', (text, fault) => {
    expect(extension(text)).toEqual({ ok: false, fault });
  });
});
