import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import type { ConfigEdit } from '../ports/config-store.ts';
import { editText, newConfigText } from './edit.ts';
import { parseYamlText } from './yaml-text.ts';

const source = `# Mine, in dotfiles.
version: 1

accounts:
  # The company's.
  corp:
    oidc:
      issuer: https://id.example.com   # since 2024
      clientId: "kubernetes"
      note: mine
      scopes: [openid, groups]
  bot: { staticToken: {} }

# Where it is used.
clusters:
  prod:
    server: https://10.0.0.1:6443
    account: corp # not ops
# the end
`;

function edited(source: string, ...edits: ConfigEdit[]): string {
  const edited = editText(parseYamlText(source), edits);
  if (edited === null) {
    throw new Error('refused');
  }
  return edited.text;
}

test('a new cluster comes last, and nothing else changes', () => {
  const value = { server: 'https://10.0.0.2:6443', account: 'bot' };
  const text = edited(source, { kind: 'set', what: 'cluster', name: 'dev', value });
  const added = '# not ops\n  dev:\n    server: https://10.0.0.2:6443\n    account: bot\n';
  expect(text).toBe(source.replace('# not ops\n', added));
});

test('lines that the edit left alone are as the user wrote them, spacing and all', () => {
  const mine = `version:   1
accounts:   # all of mine
    a:    { staticToken:   {} }    # first


    b: {staticToken: {file: "/b"}}
clusters:
    # one
    p: {server: 'https://h',   account: a}
`;
  const value = { staticToken: { file: '/c' } };
  expect(edited(mine, { kind: 'set', what: 'account', name: 'b', value })).toBe(
    mine.replace(/ {4}b: .*\n/, '    b: { staticToken: { file: "/c" } }\n'),
  );
});

test('a layout that the printer doesn’t know is printed anew, with nothing lost', () => {
  const odd = '# mine\n{version: 1, accounts: {a: {staticToken: {}}, # first\n b: {staticToken: {}},}}\n';
  const text = edited(odd, { kind: 'set', what: 'account', name: 'c', value: { staticToken: {} } });
  expect(Object.keys(parse(text).accounts)).toEqual(['a', 'b', 'c']);
  expect(text).toContain('# mine');
  expect(text).toContain('# first');
});

test('a changed account keeps its place, comments, quotes and unknown keys; known keys that went are gone', () => {
  const value = { oidc: { issuer: 'https://other.example.com', clientId: 'kubernetes' } };
  const text = edited(source, { kind: 'set', what: 'account', name: 'corp', value });
  expect(text).toContain("# The company's.\n  corp:");
  expect(text).toContain(
    'issuer: https://other.example.com # since 2024\n      clientId: "kubernetes"\n      note: mine',
  );
  expect(text).not.toContain('groups');
  expect(text.indexOf('corp:')).toBeLessThan(text.indexOf('bot:'));
});

test('a value that stays the same is left as it is written', () => {
  const value = {
    oidc: { issuer: 'https://id.example.com', clientId: 'other', scopes: ['openid', 'groups'] },
  };
  expect(edited(source, { kind: 'set', what: 'account', name: 'corp', value })).toBe(
    source.replace('"kubernetes"', '"other"'),
  );
});

test('an account that becomes another kind is that kind alone', () => {
  const text = edited(source, { kind: 'set', what: 'account', name: 'corp', value: { staticToken: {} } });
  expect(parse(text).accounts.corp).toEqual({ staticToken: {} });
});

test('a removed entry is gone, and the others stay as they were', () => {
  const text = edited(source, { kind: 'remove', what: 'cluster', name: 'prod' });
  expect(parse(text)).toEqual({ ...parse(source), clusters: {} });
  expect(text).toContain('# Where it is used.');
  expect(text).toContain('# since 2024');
});

test('the removal of what isn’t there changes nothing', () => {
  expect(parse(edited(source, { kind: 'remove', what: 'account', name: 'nobody' }))).toEqual(parse(source));
});

describe('it is written in the user’s style', () => {
  const value = { staticToken: {} };
  test('with their indentation', () => {
    const four = 'version: 1\naccounts:\n    # x\n    a:\n        staticToken: {}\n';
    expect(edited(four, { kind: 'set', what: 'account', name: 'b', value })).toBe(
      `${four}    b:\n        staticToken: {}\n`,
    );
  });
  test('with their line ends', () => {
    const text = edited(source.replaceAll('\n', '\r\n'), { kind: 'set', what: 'account', name: 'b', value });
    expect(text).not.toMatch(/(?<!\r)\n/);
  });
  test('with long lines unbroken', () => {
    const long = `version: 1\naccounts:\n  a:\n    oidc:\n      issuer: https://h\n      clientId: ${'word '.repeat(40)}end\n`;
    expect(edited(long, { kind: 'set', what: 'account', name: 'b', value })).toContain(long);
  });
});

test.each([
  ['no accounts', 'version: 1\n'],
  ['accounts left empty', 'version: 1\naccounts:\n'],
  ['accounts as {}', 'version: 1\naccounts: {}\n'],
  ['a new file', newConfigText],
  ['an empty file', ''],
  ['comments alone', '# mine\n'],
])('an account is added to a file with %s', (_name, text) => {
  const next = edited(text, {
    kind: 'set',
    what: 'account',
    name: 'b',
    value: { staticToken: { file: '/t' } },
  });
  expect(parse(next)).toMatchObject({ version: 1, accounts: { b: { staticToken: { file: '/t' } } } });
  expect(next).toContain('accounts:\n  b:\n    staticToken:\n      file: /t\n');
  expect(next.startsWith('#')).toBe(text.startsWith('#'));
});

test('a name that YAML would take for something else stays a name', () => {
  for (const name of ['null', '1', 'yes', '1e3', 'a:b']) {
    const text = edited('version: 1\n', { kind: 'set', what: 'account', name, value: { staticToken: {} } });
    expect(Object.keys(parse(text).accounts)).toEqual([name]);
  }
});

test('an entry whose name YAML takes for a number is that entry', () => {
  const numbered = 'version: 1\naccounts:\n  1: { staticToken: {} } # mine\n  2: { staticToken: {} }\n';
  const value = { staticToken: { file: '/t' } };
  expect(edited(numbered, { kind: 'set', what: 'account', name: '1', value })).toBe(
    numbered.replace('{} } # mine', '{ file: /t } } # mine'),
  );
  expect(edited(numbered, { kind: 'remove', what: 'account', name: '2' })).toBe(
    numbered.replace(/ {2}2.*\n/, ''),
  );
});

test('several edits of one entry are made in their order', () => {
  const value = { staticToken: {} };
  const text = edited(
    source,
    { kind: 'set', what: 'account', name: 'new', value: { staticToken: { file: '/t' } } },
    { kind: 'remove', what: 'account', name: 'bot' },
    { kind: 'set', what: 'account', name: 'new', value },
    { kind: 'set', what: 'account', name: 'bot', value },
    { kind: 'set', what: 'account', name: 'gone', value },
    { kind: 'remove', what: 'account', name: 'gone' },
  );
  expect(parse(text).accounts).toEqual({ corp: parse(source).accounts.corp, new: value, bot: value });
});

describe('an anchor that others stand on', () => {
  const shared = 'version: 1\naccounts:\n  a: &a { staticToken: { file: /a } }\n  b: *a\n';
  test('lets the one that refers to it change alone', () => {
    const text = edited(shared, { kind: 'set', what: 'account', name: 'b', value: { staticToken: {} } });
    expect(parse(text).accounts).toEqual({ a: { staticToken: { file: '/a' } }, b: { staticToken: {} } });
  });
  test.each([
    { kind: 'remove', what: 'account', name: 'a' },
    { kind: 'set', what: 'account', name: 'a', value: { staticToken: {} } },
  ] as const)('refuses $kind of the one that holds it', (edit) => {
    expect(editText(parseYamlText(shared), [edit])).toBeNull();
  });
  test('refuses a change inside it, too', () => {
    const inner = 'version: 1\naccounts:\n  a: { staticToken: &t { file: /a } }\n  b: { staticToken: *t }\n';
    expect(
      editText(parseYamlText(inner), [
        { kind: 'set', what: 'account', name: 'a', value: { staticToken: { file: '/x' } } },
      ]),
    ).toBeNull();
  });
});

describe('a setting', () => {
  const withLock = `${source.replace('# the end\n', '')}lock:\n  afterIdle: 15m # coffee\n  note: mine\n# the end\n`;
  const setLock = (value: Record<string, unknown>): ConfigEdit => ({
    kind: 'setSetting',
    name: 'lock',
    value,
  });

  test('that is new comes last, and nothing else changes', () => {
    const text = edited(source, { kind: 'setSetting', name: 'appearance', value: { theme: 'dark' } });
    expect(parse(text)).toEqual({ ...parse(source), appearance: { theme: 'dark' } });
    expect(text).toContain('    account: corp # not ops\n');
  });

  test('that is there is changed in its place, with its comment and what is unknown', () => {
    expect(edited(withLock, setLock({ afterIdle: '1h' }))).toBe(withLock.replace('15m', '1h'));
  });

  test('of which nothing is left to say goes', () => {
    expect(parse(edited(withLock, setLock({})))).toEqual(parse(source));
  });

  test('in an empty file is the first thing said', () => {
    expect(parse(edited('', setLock({ afterIdle: '5m' })))).toEqual({
      version: 1,
      lock: { afterIdle: '5m' },
    });
  });
});
