import { describe, expect, test } from 'vitest';
import { findCanaries } from '../../../test/support/canary.ts';
import { diffTexts } from './diff-texts.ts';
import { editKubeconfigText } from './edit-kubeconfig-text.ts';
import { hunksText } from './hunks-text.ts';

const secret = 'Pl4nted+Secret/9f8e7d6c5b4a3210==';
/** Without digits or length: nothing in its looks says that it is one. */
const word = 'correcthorse';

const exec = {
  apiVersion: 'client.authentication.k8s.io/v1',
  command: '/x/lanyard',
  args: ['kube-credential'],
};

const user = (body: string) => `users:\n- name: a\n  user:\n${body.replace(/^/gm, '    ')}\n`;
const pem = `-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG9w0BAQEFAASC${word}\n-----END PRIVATE KEY-----`;

/** Layouts with a secret in each: what is removed, and what stays beside it. */
const layouts: Record<string, string> = {
  plain: user(`token: ${secret}\npassword: ${word}`),
  'double quotes': user(`token: "${secret}"\npassword: "${word}"`),
  'single quotes': user(`token: '${secret}'\npassword: '${word}'`),
  'double quotes over lines': user(`token: "${secret}\\\n  ${word}"\npassword: "a\n\n  ${word}"`),
  'plain over lines': user(`token: a\n  ${secret}\n  ${word}\nas: me`),
  'a literal block': user(`client-key-data: |\n  ${pem.replaceAll('\n', '\n  ')}\nas: me`),
  'a folded block': user(`token: >-\n  ${secret}\n\n  ${word}\nas: me`),
  flow: `users: [{name: a, user: {token: ${word}, password: "${secret}", as: me}}]\n`,
  'flow over lines': `users: [\n  {name: a,\n   user: {token:\n ${word}, password:\n "${secret}" }}\n]\n`,
  json: JSON.stringify({ users: [{ name: 'a', user: { token: secret, password: word } }] }),
  'json over lines': JSON.stringify(
    { users: [{ name: 'a', user: { token: secret, password: word } }] },
    null,
    '\t',
  ),
  'an auth provider': user(
    `auth-provider:\n  name: oidc\n  config:\n    client-secret: ${word}\n    id-token: ${secret}\n    other: ${word}`,
  ),
  'another plugin': user(
    `exec:\n  command: kubelogin\n  args:\n  - get-token\n  - --oidc-client-secret=${word}\n  - ${secret}\n  env:\n  - name: SECRET\n    value: ${word}`,
  ),
  'one that looks like ours': user(`exec:\n  command: lanyard-wrapper\n  args: [kube-credential, ${word}]`),
  'unknown keys': user(`my-thing: ${word}\nas-user-extra: {why: [${word}]}\ntoken: ${secret}`),
  'an anchor elsewhere': `x-template: &t {token: ${word}, as: me}\n${user(`<<: *t\npassword: ${secret}`)}`,
  'an alias': `x: &t ${word}\n${user('token: *t')}`,
  'a comment beside': user(
    `token: x # token was: ${word}\n# https://me:${word}@x\n# and ${secret} before\npassword: ${word}`,
  ),
  'keys that are twice there': user(`token: ${word}\ntoken: ${secret}`),
  'odd keys': user(`? token\n: ${word}\n? [${word}]\n: ${secret}`),
  'tags and anchors': user(`token: !!str &a ${word}\npassword: !<tag:x> ${secret}`),
  'carriage returns': user(`token: |\n  ${secret}\n  ${word}\nas: me`).replaceAll('\n', '\r\n'),
  'an address': `clusters:\n- name: c\n  cluster:\n    server: https://me:${word}@x.example/?token=${secret}\n    proxy-url: "http://${word}@p"\n`,
  'an extension': `contexts:\n- name: c\n  context:\n    extensions:\n    - name: e\n      extension: {token: ${word}, v: ${secret}}\n`,
  'a second document': `${user(`token: ${word}`)}---\ntoken: ${word}\nother: ${word} ${secret}\n`,
  'no map at all': `${word} ${secret}\n`,
  'a list': `- ${word}\n- ${secret}\n`,
  'broken yaml': `users:\n- name: a\n   user: {token: ${word}\n "${secret}`,
  'text after a value': `- - x\ny: ${word}\n${secret}\n`,
};

function expectNone(text: string): void {
  const canaries = [
    { name: 'secret', value: secret },
    { name: 'word', value: word },
  ];
  expect(findCanaries(canaries, [{ where: 'hunks', bytes: Buffer.from(text) }])).toEqual([]);
}

describe('no secret is shown', () => {
  for (const [name, text] of Object.entries(layouts)) {
    test(`of ${name}`, () => {
      // Remove all, add all, and change each single line: a hunk may begin inside a value.
      const lines = text.split('\n');
      const others = lines.map((_, index) => lines.with(index, `${lines[index]} `).join('\n'));
      const halves = lines.map((_, index) => lines.slice(index).join('\n'));
      for (const other of ['', '# nothing\n', 'a: {}\n', ...others, ...halves]) {
        expectNone(JSON.stringify(diffTexts(text, other)));
        expectNone(JSON.stringify(diffTexts(other, text)));
        expectNone(hunksText(diffTexts(text, other), { file: 'config' }));
      }
      expectNone(
        JSON.stringify(editKubeconfigText(text, [{ kind: 'setUserExec', user: 'a', exec }])).replace(
          /"text":"(?:[^"\\]|\\.)*"/,
          '',
        ),
      );
    });
  }
});

test('what is no secret can be read', () => {
  const old =
    'kind: Config\nusers:\n- name: a\n  user:\n    token: abc\n    as: me # a friend\ncurrent-context: x\n';
  const now = old.replace(
    '    token: abc\n',
    '    exec:\n      command: /x/lanyard\n      args: [kube-credential, --cluster, prod]\n',
  );
  expect(
    hunksText(diffTexts(old, now.replace('context: x', 'context: y')), { file: '/home/me/.kube/config' }),
  ).toBe(`--- /home/me/.kube/config
+++ /home/me/.kube/config
@@ -5 +5,3 @@
-    token: [hidden]
+    exec:
+      command: /x/lanyard
+      args: [kube-credential, --cluster, prod]
@@ -7 +9 @@
-current-context: x
+current-context: y
`);
});

test('lines inside a value of several lines are told by their own places', () => {
  const text = (second: string) => user(`# before\npassword: |\n  one\n  ${second}\n  three\nas: me`);
  expect(diffTexts(text('two'), `${text('too')}# end\n`)).toEqual([
    { oldLine: 7, newLine: 7, removed: ['      [hidden]'], added: ['      [hidden]'] },
    { oldLine: 10, newLine: 10, removed: [], added: ['# end'] },
  ]);
});

test('certificates are shortened, and places are those of the texts', () => {
  const data = Buffer.alloc(900, 'certificate').toString('base64');
  const old = `clusters:\n- name: c\n  cluster:\n    certificate-authority-data: ${data}\n`;
  expect(diffTexts(old, old.replace('name: c', 'name: d').replace('data: ', 'data: Q'))).toEqual([
    {
      oldLine: 2,
      newLine: 2,
      removed: ['- name: c'],
      added: ['- name: d'],
    },
    {
      oldLine: 4,
      newLine: 4,
      removed: [`    certificate-authority-data: ${data.slice(0, 12)}… (1200 characters)`],
      added: [`    certificate-authority-data: Q${data.slice(0, 11)}… (1201 characters)`],
    },
  ]);
});

test('a config.yaml is shown, but what was pasted into it by mistake is not', () => {
  const old = 'version: 1\naccounts: {}\n';
  const now = `version: 1\naccounts:\n  corp:\n    oidc:\n      issuer: https://id.example.com\n      clientSecret: ${word}\n      token: id\n`;
  expect(diffTexts(old, now)[0]?.added).toEqual([
    'accounts:',
    '  corp:',
    '    oidc:',
    '      issuer: https://id.example.com',
    '      clientSecret: [hidden]',
    '      token: id',
  ]);
});

test('of texts that can’t be read only the number of lines is told', () => {
  expect(diffTexts('a: 1\nb: [\nc: 2\n', 'a: 1\nb: [\nd: 3\ne: 4\n')).toEqual([
    { oldLine: 3, newLine: 3, removed: [], added: [], omitted: { removed: 1, added: 2 } },
  ]);
  expect(hunksText(diffTexts('b: [\nc: 2\n', 'b: [\n'), { file: 'f' })).toContain(
    '@@ -2 +1,0 @@\n  (1 lines go and 0 come; they are not shown)\n',
  );
});

test('of texts with many differences only their number is told', () => {
  const lines = (by: string) =>
    Array.from({ length: 60_000 }, (_, index) => `key-${by}-${index}: x\n`).join('');
  expect(diffTexts(`a: 1\n${lines('a')}z: 1\n`, `a: 1\n${lines('b')}z: 1\n`)).toEqual([
    { oldLine: 2, newLine: 2, removed: [], added: [], omitted: { removed: 60_000, added: 60_000 } },
  ]);
});

test('a last line break that goes is a difference; equal texts have none', () => {
  expect(diffTexts('a: 1\n', 'a: 1')).toHaveLength(1);
  expect(diffTexts('a: 1\n', 'a: 1\n')).toEqual([]);
  expect(hunksText([], { file: 'x' })).toBe('');
});

test('a line can’t forge another one or hide a part', () => {
  const text = hunksText(diffTexts('current-context: a\n', 'current-context: "\u202e\u001b[2J"\n'), {
    file: 'a\nb',
  });
  expect(text).toBe(
    '--- a\\u{a}b\n+++ a\\u{a}b\n@@ -1 +1 @@\n-current-context: a\n+current-context: "\\u{202e}\\u{1b}[2J"\n',
  );
});
