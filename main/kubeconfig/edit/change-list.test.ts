import { describe, expect, test } from 'vitest';
import type { KubeconfigChange } from './change.ts';
import { editKubeconfigText, kubeconfigValue } from './edit-kubeconfig-text.ts';

const cluster = {
  server: 'https://10.0.0.1:6443',
  extensions: [{ name: 'client.authentication.k8s.io/exec', extension: { lanyard: { cluster: 'on' } } }],
};

function change(how: Partial<Extract<KubeconfigChange, { kind: 'changeList' }>>): KubeconfigChange {
  return { kind: 'changeList', list: 'clusters', remove: new Set(), set: new Map(), add: new Map(), ...how };
}
const add = change({
  add: new Map<string, object>([
    ['on', cluster],
    ['b', { server: 'https://b' }],
  ]),
});
const remove = change({ remove: new Set(['on', 'b']) });

function edit(text: string, ...changes: KubeconfigChange[]): string {
  const edited = editKubeconfigText(text, changes);
  return edited.ok ? edited.text : `fault: ${edited.fault}`;
}

const kubectls = `apiVersion: v1
clusters:
- cluster:
    server: https://a
  name: a
contexts: null
kind: Config
users: []
`;

describe('entries that are added and removed again leave each byte as it was', () => {
  test.each([
    ['as kubectl writes it', kubectls],
    [
      'indented, with comments',
      `# mine\nclusters:\n    - name: a\n      cluster:\n        server: https://a # first\n      # of a\n# after\nkind: Config\n`,
    ],
    ['Windows line ends', kubectls.replaceAll('\n', '\r\n')],
    ['no line break at the end', 'kind: Config\nclusters:\n- name: a\n  cluster: {server: https://a}'],
    [
      'JSON on one line',
      '{"kind":"Config","clusters":[{"name":"a","cluster":{"server":"https://a"}}],"users":[]}',
    ],
    [
      'JSON on lines',
      `${JSON.stringify({ kind: 'Config', clusters: [{ name: 'a', cluster: {} }] }, null, 2)}\n`,
    ],
    ['a list in brackets', 'kind: Config\nclusters: [ {name: a, cluster: {server: https://a}} ] # mine\n'],
    [
      'anchors that others stand on',
      'clusters:\n- name: a\n  cluster: &a\n    server: https://a\n- name: c\n  cluster: *a\n',
    ],
  ])('%s', (_, text) => {
    const added = edit(text, add);
    expect((kubeconfigValue(added) as { clusters: unknown[] }).clusters.slice(-2)).toEqual([
      { name: 'on', cluster },
      { name: 'b', cluster: { server: 'https://b' } },
    ]);
    expect(edit(added, remove)).toBe(text);
  });

  test('in the middle of the list, where others have written after them', () => {
    const later = change({ add: new Map([['theirs', { server: 'https://t' }]]) });
    expect(edit(edit(edit(kubectls, add), later), remove)).toBe(edit(kubectls, later));
    const json = JSON.stringify(kubeconfigValue(kubectls));
    expect(edit(edit(edit(json, add), later), change({ remove: new Set(['a', 'on']) }))).toContain(
      '[{"cluster":{"server":"https://b"},"name":"b"}',
    );
  });
});

test('a list that is empty, missing or null is made, and is empty once all of it is gone', () => {
  for (const text of [
    'kind: Config\nclusters: []\n',
    'kind: Config\n',
    '{"kind": "Config", "clusters": null}',
  ]) {
    expect(kubeconfigValue(edit(edit(text, add), remove))).toEqual({ kind: 'Config', clusters: [] });
  }
});

test('an entry gets another value where it stands', () => {
  const added = edit(kubectls, add);
  const set = change({ set: new Map([['on', { server: 'https://10.0.0.2', 'tls-server-name': 'x' }]]) });
  expect(edit(added, set)).toBe(
    edit(
      kubectls,
      change({
        add: new Map<string, object>([
          ['on', { server: 'https://10.0.0.2', 'tls-server-name': 'x' }],
          ['b', { server: 'https://b' }],
        ]),
      }),
    ),
  );
});

test.each([
  [
    'a name that is taken',
    'clusters: [{name: on, cluster: {}}]\n',
    add,
    'there is a cluster on in it already',
  ],
  ['no such entry', kubectls, remove, 'there is no cluster on in it that can be changed'],
  ['no list', 'clusters: {a: b}\n', add, 'its clusters are no list'],
  [
    'others stand on what would go',
    'clusters:\n- name: on\n  cluster: &a\n    server: https://a\n- name: b\n  cluster: {}\n- name: c\n  cluster: *a\n',
    remove,
    'the entries are written in a way that can’t be changed without other entries',
  ],
  [
    'a number that would lose digits',
    'clusters: []\n',
    change({ add: new Map([['on', { extensions: [{ extension: JSON.parse('12345678901234567890') }] }]]) }),
    'an entry that would have to be written again holds a number that would lose digits: put it in quotes',
  ],
])('%s is a fault', (_, text, how, fault) => {
  expect(edit(text, how)).toBe(`fault: ${fault}`);
});
