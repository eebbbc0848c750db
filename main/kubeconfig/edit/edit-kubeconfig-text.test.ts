import { describe, expect, test } from 'vitest';
import { isLong } from '../../../test/support/long.ts';
import type { KubeconfigChange } from './change.ts';
import { editKubeconfigText } from './edit-kubeconfig-text.ts';

const exec = { command: '/x/lanyard', args: ['kube-credential'] };
const setA: KubeconfigChange = { kind: 'setUserExec', user: 'a', exec };
const addB: KubeconfigChange = { kind: 'addUser', user: 'b', after: 'a', exec };

function edit(text: string, ...changes: KubeconfigChange[]): string {
  const edited = editKubeconfigText(text, changes);
  if (!edited.ok) {
    throw new Error(edited.fault);
  }
  return edited.text;
}

function fault(text: string, ...changes: KubeconfigChange[]): string | null {
  const edited = editKubeconfigText(text, changes);
  return edited.ok ? null : edited.fault;
}

describe('what authenticated a user goes, with the comment beside it; other comments and keys stay', () => {
  test('in block style', () => {
    const text = `users:
- name: a # the first
  user:
    # above
    token: abc # beside
    # between
    as: me
    client-key-data: |
      # no comment

      key
    extensions: []
    auth-provider:
      name: oidc
      # inside
      config: {id-token: x}
      # at its end
    # after
# the end
`;
    expect(edit(text, setA, addB)).toBe(`users:
- name: a # the first
  user:
    # above
    exec:
      command: /x/lanyard
      args:
      - kube-credential
    # between
    as: me
    extensions: []
    # after
- name: b
  user:
    as: me
    extensions: []
    exec:
      command: /x/lanyard
      args:
      - kube-credential
# the end
`);
  });

  test('where nothing authenticated it', () => {
    expect(edit('users:\n  - name: a\n    user:\n      as: me # still\n', setA)).toBe(
      'users:\n  - name: a\n    user:\n      as: me # still\n      exec:\n        command: /x/lanyard\n        args:\n          - kube-credential\n',
    );
  });

  test.each([
    [
      '{name: a, user: {token: x, as: y}}',
      '{name: a, user: {exec: {command: /x/lanyard, args: [kube-credential]}, as: y}}',
    ],
    [
      '{name: a, user: {as: y, token: x, password: z}}',
      '{name: a, user: {as: y, exec: {command: /x/lanyard, args: [kube-credential]}}}',
    ],
    [
      '{name: a, user: { token: x, as: y, password: z, }}',
      '{name: a, user: { exec: { command: /x/lanyard, args: [kube-credential] }, as: y, }}',
    ],
    [
      '{"name":"a","user":{"password":"z","token":"x"}}',
      '{"name":"a","user":{"exec":{"command":"/x/lanyard","args":["kube-credential"]}}}',
    ],
    ['{name: a, user: }', '{name: a, user: {exec: {command: /x/lanyard, args: [kube-credential]}}}'],
    ['{name: a, user}', '{name: a, user: {exec: {command: /x/lanyard, args: [kube-credential]}}}'],
    ['{name: a}', '{name: a, user: {exec: {command: /x/lanyard, args: [kube-credential]}}}'],
    ['{name: a, user: {}}', '{name: a, user: {exec: {command: /x/lanyard, args: [kube-credential]}}}'],
    [
      '{name: a, user: ~, x: 1}',
      '{name: a, user: {exec: {command: /x/lanyard, args: [kube-credential]}}, x: 1}',
    ],
  ])('in flow style: %s', (entry, expected) => {
    expect(edit(`users: [${entry}]`, setA)).toBe(`users: [${expected}]`);
    expect(edit(`users:\n- ${entry}\n`, setA)).toBe(`users:\n- ${expected}\n`);
  });

  test('in flow style over lines', () => {
    expect(
      edit(
        `{"users": [
  {
    "name": "a",
    "user": {
      "as": "me", # who
      "token": "x", # gone
      # stays
      "password": "y"
    }
  }
]}`,
        setA,
        addB,
      ),
    ).toBe(`{"users": [
  {
    "name": "a",
    "user": {
      "as": "me", # who
      "exec": {
        "command": "/x/lanyard",
        "args": [
          "kube-credential"
        ]
      } # gone
      # stays
    }
  },
  {
    "name": "b",
    "user": {
      "as": "me",
      "exec": {
        "command": "/x/lanyard",
        "args": [
          "kube-credential"
        ]
      }
    }
  }
]}`);
  });

  test.each([
    ['user:', 'user:'],
    ['user: null # none', 'user: # none'],
    ['user: {}', 'user:'],
    ['user: ~', 'user:'],
  ])('where there was nothing: %s', (before, after) => {
    expect(edit(`users:\n- name: a\n  ${before}\n- name: c\n`, setA)).toBe(
      `users:\n- name: a\n  ${after}\n    exec:\n      command: /x/lanyard\n      args:\n      - kube-credential\n- name: c\n`,
    );
  });
});

describe('anchors and merges', () => {
  test('an alias is written out, for its user alone', () => {
    const text =
      'x: &x {token: t, as: me, n1: 0x1f, y1: "on"}\nusers:\n- name: a\n  user: *x # shared\n- name: c\n  user: *x\n';
    expect(edit(text, setA)).toBe(
      'x: &x {token: t, as: me, n1: 0x1f, y1: "on"}\nusers:\n- name: a\n  user: # shared\n    as: me\n    n1: 0x1f\n    y1: "on"\n    exec:\n      command: /x/lanyard\n      args:\n      - kube-credential\n- name: c\n  user: *x\n',
    );
  });

  test('a merge that brings in what authenticates is written out, another one stays', () => {
    const text =
      'x: &x {token: t, as: me}\ny: &y {as-uid: "1"}\nusers:\n- name: a\n  user:\n    <<: *y\n    <<: *x\n    as-groups: []\n';
    expect(edit(text, setA)).toBe(
      'x: &x {token: t, as: me}\ny: &y {as-uid: "1"}\nusers:\n- name: a\n  user:\n    <<: *y\n    exec:\n      command: /x/lanyard\n      args:\n      - kube-credential\n    as: me\n    as-groups: []\n',
    );
  });

  test('an anchor that only the user itself uses may go', () => {
    expect(edit('users:\n- name: a\n  user: {token: &t x, password: *t}\n', setA)).not.toContain('&t');
  });

  test.each([
    [
      'an anchor in what goes',
      'users:\n- name: a\n  user:\n    token: &t x\n- name: c\n  user: {token: *t}\n',
    ],
    [
      'an anchor on what goes',
      'users:\n- name: a\n  user:\n    auth-provider: &t {name: x}\n- name: c\n  user: {auth-provider: *t}\n',
    ],
    ['the user itself', 'users:\n- name: a\n  user: &u\n    token: x\n- name: c\n  user: *u\n'],
    ['the entry itself', 'users:\n- &u\n  name: a\n  user:\n    token: x\n- <<: *u\n  name: c\n'],
    ['an anchor on nothing', 'users:\n- name: a\n  user: &u\n- name: c\n  user: *u\n'],
  ])('that others stand on: %s', (_, text) => {
    expect(fault(text, setA)).toMatch(/others?|shared?|stands for/);
  });

  test.each([
    ['an entry that is an alias', 'x: &x {name: a, user: {}}\nusers:\n- *x\n', /alias/],
    [
      'a merge after what it overrides',
      'x: &x {token: t, as: me}\nusers:\n- name: a\n  user:\n    as: you\n    <<: *x\n',
      /merge/,
    ],
    ['a user that is no map', 'users:\n- name: a\n  user: [token]\n', /no map/],
    ['a key that is no text', 'x: &x {on: 1}\nusers:\n- name: a\n  user: *x\n', /key/],
    ['an own tag to be written again', 'x: &x {as: !mine me}\nusers:\n- name: a\n  user: *x\n', /tag/],
  ])('that can’t be changed here: %s', (_, text, expected) => {
    expect(fault(text, setA)).toMatch(expected);
  });
});

test.each([
  ['broken YAML, with the line', 'users:\n- name: a\n  user: {token: SECRET\n', /^line \d isn’t valid YAML$/],
  ['text where none belongs', '- - x\ny: SECRET\n', /^line \d isn’t valid YAML$/],
  ['a list', '- name: a\n', /isn’t a map/],
  ['a user twice', 'users:\n- name: a\n- name: a\n', /twice/],
  ['a key of the user twice', 'users:\n- name: a\n  user: {as: x}\n  user: {as: y}\n', /twice/],
  ['users twice', 'users:\n- name: a\nusers:\n- name: a\n', /twice/],
  ['a lone carriage return', 'users:\r- name: a\n', /line break/],
  ['a line separator', 'users:\n- name: a # \u2028\n', /^line 2 has a line break/],
  ['an alias for nothing', 'users:\n- name: a\n  user: *x\n', /isn’t/],
  ['explicit keys', 'users:\n- name: a\n  user:\n    ? token\n    : x\n', /^line 4 is written/],
])('a file that kubectl would read in another way, or not at all, is not edited: %s', (_, text, expected) => {
  expect(fault(text, setA)).toMatch(expected);
  expect(fault(text, setA)).not.toContain('SECRET');
});

test('what isn’t there, is there already, or is to change twice', () => {
  const text = 'users:\n- name: a\n- name: b\ncontexts:\n- name: c\n  context: {user: a}\n';
  expect(fault(text, { kind: 'setUserExec', user: 'x', exec })).toBe('there is no user x in it');
  expect(fault(text, addB)).toBe('there is a user b in it already');
  expect(fault(text, { kind: 'setContextUser', context: 'x', user: 'a' })).toBe(
    'there is no context x in it',
  );
  expect(fault(text, setA, setA)).toBe('a is to change twice');
  expect(fault('', setA)).toBe('there is no user a in it');
});

describe('a context’s user and the current context', () => {
  const set = (user: string): KubeconfigChange => ({ kind: 'setContextUser', context: 'c', user });
  test.each([
    ['{user: a}', 'b', '{user: b}'],
    ["{user: 'a'}", "it's", "{user: 'it''s'}"],
    ['{user: "a"}', 'b', '{user: "b"}'],
    ['{user: a}', 'x:y', '{user: "x:y"}'],
    ['{user: }', 'b', '{user: b}'],
    ['{cluster: k}', 'b', '{cluster: k, user: b}'],
    ['{user: *u}', 'b', '{user: b}'],
    ['{user: {a: 1}}', 'b', '{user: b}'],
  ])('%s becomes %s', (context, user, expected) => {
    const text = (body: string) => `u: &u a\ncontexts:\n- name: c\n  context: ${body} # x\n`;
    expect(edit(text(context), set(user))).toBe(text(expected));
  });

  test('in block style, with its comment', () => {
    const text = (user: string) => `contexts:\n- context:\n    user: ${user}\n    cluster: k\n  name: c\n`;
    expect(edit(text('a # who'), set('b'))).toBe(text('b # who'));
    expect(edit(text('|-\n      a'), set('b'))).toBe(text('b'));
    expect(edit('contexts:\n- name: c\n  context:\n    user:\n    cluster: k\n', set('b'))).toBe(
      'contexts:\n- name: c\n  context:\n    user: b\n    cluster: k\n',
    );
  });

  test.each([
    ['', 'current-context: c\n'],
    ['# mine', '# mine\ncurrent-context: c\n'],
    ['kind: Config', 'kind: Config\ncurrent-context: c'],
    ['kind: Config\n...\n', 'kind: Config\ncurrent-context: c\n...\n'],
    ['current-context: ""\nkind: Config\n', 'current-context: "c"\nkind: Config\n'],
    ['current-context:   \nkind: Config\n', 'current-context: c\nkind: Config\n'],
    ['{"kind":"Config"}', '{"kind":"Config","current-context":"c"}'],
  ])('%j gets a current context', (text, expected) => {
    expect(edit(text, { kind: 'setCurrentContext', context: 'c' })).toBe(expected);
  });
});

test(isLong ? 'thousands of changes' : 'hundreds of changes', () => {
  const count = isLong ? 2_000 : 300;
  const users = Array.from({ length: count }, (_, index) => `- name: u${index}\n  user: {token: x}\n`);
  const changes = users.map(
    (_, index): KubeconfigChange => ({ kind: 'setUserExec', user: `u${index}`, exec }),
  );
  const edited = editKubeconfigText(`users:\n${users.join('')}`, changes);
  expect(edited.ok && edited.hunks.length).toBe(count);
  expect(edited.ok && edited.text).not.toContain('token');
});
