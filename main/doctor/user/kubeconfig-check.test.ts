import { expect, test } from 'vitest';
import { Secret } from '../../base/secret.ts';
import { kubeCluster, kubeconfig, kubeUser } from '../../domain/import/testing/kube.ts';
import { kubeconfigCheck } from './kubeconfig-check.ts';
import type { UserEnvironment } from './user-environment.ts';

const path = '/home/me/.kube/config';

test('secrets that an import takes have it for a hint, those that it leaves are for the user to remove', async () => {
  const merged = {
    ...kubeconfig(
      [
        kubeUser('taken', { token: new Secret('t-1') }),
        kubeUser('basic', { username: 'a', password: new Secret('p-1') }),
        kubeUser('unused', { token: new Secret('t-2') }),
        kubeUser('broken', { token: new Secret('t-3') }),
      ],
      [kubeCluster('one'), kubeCluster('behind', { proxyUrl: 'http://u:p-2@proxy.example:3128' })],
      [
        { name: 'a', cluster: 'one', user: 'taken' },
        { name: 'b', cluster: 'one', user: 'basic' },
        { name: 'c', cluster: 'gone', user: 'broken' },
      ],
    ),
    files: [{ path, target: path, text: 'users: []\n', mode: 0o600 }],
  };
  const check = kubeconfigCheck({
    access: null,
    person: {} as UserEnvironment,
    read: async () => merged,
    readAlone: async () => merged,
    paths: { helper: '/h/bin/lanyard', kubeconfig: '/h/kubeconfig' },
    clock: { now: () => 0 },
  });
  const found = await check.run(new AbortController().signal);
  const plain = [found].flat().filter((each) => each.check === 'kubeconfig.plaintext');
  expect(plain.map(({ message, hint }) => [message, hint?.split(' --')[0]])).toEqual([
    ['secrets in plain text, of taken', 'lanyard kubeconfig import'],
    [
      'secrets in plain text that no import takes, of basic, unused, broken',
      'where nothing needs them: kubectl config delete-user NAME',
    ],
    [
      'in plain text: password of a proxy (line 7)',
      'a proxy’s address with its password belongs in HTTPS_PROXY where kubectl runs, in place of proxy-url',
    ],
  ]);
  expect(JSON.stringify(found)).not.toMatch(/[tp]-\d/);
});

test('what the managed kubeconfig’s contexts hide is still taken by an import of its file', async () => {
  const users = [kubeUser('mine', { token: new Secret('t-1') })];
  const contexts = [{ name: 'a', cluster: 'one', user: 'mine' }];
  const alone = kubeconfig(users, [kubeCluster('one')], contexts);
  const managed = [{ name: 'a', cluster: 'one', user: 'lanyard:mine@a' }];
  const check = kubeconfigCheck({
    access: null,
    person: {} as UserEnvironment,
    // As `lanyard env` has it: the managed one first.
    read: async () => ({
      ...kubeconfig(users, [kubeCluster('one')], managed),
      files: [{ path, target: path, text: 'users: []\n', mode: 0o600 }],
    }),
    readAlone: async () => alone,
    paths: { helper: '/h/bin/lanyard', kubeconfig: '/h/kubeconfig' },
    clock: { now: () => 0 },
  });
  const found = [await check.run(new AbortController().signal)].flat();
  expect(found.filter((each) => each.check === 'kubeconfig.plaintext').map(({ message }) => message)).toEqual(
    ['secrets in plain text, of mine'],
  );
});

test.each([
  [true, ['other users can read or change it']],
  [false, []],
])('on Windows a kubeconfig’s access list counts, and no mode: %s', async (isOpen, messages) => {
  const merged = {
    ...kubeconfig([], [], []),
    files: [{ path, target: path, text: 'users: []\n', mode: null }],
  };
  const check = kubeconfigCheck({
    access: { isOpen: (each) => isOpen && each === path, close: () => undefined },
    person: {} as UserEnvironment,
    read: async () => merged,
    readAlone: async () => merged,
    paths: { helper: '/h/bin/lanyard', kubeconfig: '/h/kubeconfig' },
    clock: { now: () => 0 },
  });
  const found = [await check.run(new AbortController().signal)].flat();
  expect(found.filter((each) => each.check === 'kubeconfig.mode').map(({ message }) => message)).toEqual(
    messages,
  );
});
