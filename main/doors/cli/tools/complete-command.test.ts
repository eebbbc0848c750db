import { expect, it } from 'vitest';
import type { ContextReader } from '../../../kubeconfig/contexts.ts';
import type { ConfigStore } from '../../../ports/config-store.ts';
import { requestedBy } from '../requested-by.ts';
import { commandCall } from '../testing/command-call.ts';
import { completeNamesCommand } from './complete-command.ts';

const named = (entries: [name: string, config: object][]) =>
  new Map(entries.map(([name, config]) => [name, { name, config }]));

const current = {
  accounts: named([
    ['corp', { oidc: {} }],
    ['bot', { staticToken: {} }],
  ]),
  clusters: named([['prod', { server: 'https://a:6443', aliases: ['live', 'ghcr'] }]]),
  registries: named([['ghcr', { matchImages: ['ghcr.io', 'quay.io/team'] }]]),
} as unknown as ReturnType<ConfigStore['current']>;

const contexts: ContextReader = async (files) => {
  const entry = { server: null, user: 'u', namespace: null, file: '/k', lanyard: null };
  const names = ['my ctx', 'a\u202eb', 'a\nb', 'a\tb', ...files];
  const entries = new Map(names.map((name) => [name, { ...entry, name, cluster: 'c\u001b[2J' }]));
  return { current: null, entries, problems: [], files };
};

function complete(args: string[], environment: Record<string, string> | null = { KUBECONFIG: 'k' }) {
  const call = commandCall(args);
  const terminal = { ...call.terminal, environment: async () => environment };
  const pathsOf = (variables: Readonly<Record<string, string>>, cwd: string) => [
    `${cwd}${variables.KUBECONFIG}`,
  ];
  return completeNamesCommand({
    config: { current: () => current },
    inventories: { profilesOf: () => [] },
    pathsOf,
    contexts,
  })({
    ...call,
    terminal,
  });
}

it.each([
  ['accounts', 'corp\toidc\nbot\tstaticToken\n'],
  ['clusters', 'prod\thttps://a:6443\n'],
  ['registries', 'ghcr\tghcr.io quay.io/team\n'],
])('%s are those of config.yaml', async (kind, stdout) => {
  expect(await complete([kind])).toEqual({ code: 0, stdout });
});

it('several kinds are answered at once, a name that two have once', async () => {
  expect(await complete(['accounts', 'clusters', 'registries', 'accounts'])).toEqual({
    code: 0,
    stdout: 'corp\toidc\nbot\tstaticToken\nprod\thttps://a:6443\nghcr\tghcr.io quay.io/team\n',
  });
});

it('contexts are those of the caller’s kubeconfigs, without names that can’t be typed', async () => {
  expect(await complete(['contexts'])).toEqual({
    code: 0,
    stdout: 'my ctx\tc\\u{1b}[2J\n/k\tc\\u{1b}[2J\n',
  });
});

it.each([
  ['what has no names', ['secrets'], {}],
  ['contexts of a helper that can’t tell its environment', ['contexts'], null],
])('refuses %s', async (_, args, environment) => {
  await expect(complete(args, environment)).rejects.toThrow();
});

it.each([
  [['complete-names', 'accounts'], 'nobody'],
  [['status', '--format={left}'], 'nobody'],
  [['status', '--json'], 'person'],
  [['account', 'list'], 'person'],
  [['login', 'complete-names'], 'person'],
  [['exec-credential', '--account', 'a', '--cluster', 'c'], 'program'],
])('%j comes from: %s', (args, asker) => {
  expect(requestedBy({ args, cwd: '/' })).toBe(asker);
});
