import { expect, it } from 'vitest';
import { quoted } from '../../test/support/system.ts';
import type { ContextEntry, Contexts } from '../kubeconfig/contexts.ts';
import { kubectlLine } from './kubectl-line.ts';

const cluster = { name: 'prod', config: { server: 'https://prod.example', account: 'corp' } };

const entry = (name: string, lanyard: ContextEntry['lanyard'], file: string): ContextEntry => ({
  name,
  cluster: 'c',
  server: null,
  user: 'u',
  namespace: null,
  file,
  lanyard,
});

function reading(files: Record<string, [string, ContextEntry['lanyard']][]>) {
  return {
    files: () => Object.keys(files),
    read: async ([file]: readonly string[]): Promise<Contexts> => ({
      current: null,
      entries: new Map(
        (files[file ?? ''] ?? []).map(([name, lanyard]) => [name, entry(name, lanyard, file ?? '')]),
      ),
      problems: [],
      files: [file ?? ''],
    }),
  };
}

const line = (files: Parameters<typeof reading>[0]) =>
  kubectlLine(cluster as Parameters<typeof kubectlLine>[0], { kubeconfigs: reading(files) });

it('names the context that asks Lanyard for this very cluster, and its file', async () => {
  const files = {
    '/home/me/.kube/config': [
      ['prod', null],
      ['other', { account: 'corp', cluster: 'dev' }],
    ] as [string, ContextEntry['lanyard']][],
    '/home/me/.lanyard/kubeconfig': [['prod', { account: 'corp', cluster: 'prod' }]] as [
      string,
      ContextEntry['lanyard'],
    ][],
  };
  expect(await line(files)).toBe('kubectl --kubeconfig /home/me/.lanyard/kubeconfig --context prod get pods');
});

it('takes the user’s own file first, and one context of several that has the cluster’s name', async () => {
  const mine = { account: 'corp', cluster: 'prod' };
  const files: Parameters<typeof reading>[0] = {
    '/home/me/my config': [
      ['a b; rm', mine],
      ['prod', mine],
    ],
    '/managed': [['prod', mine]],
  };
  expect(await line(files)).toBe(
    `kubectl --kubeconfig ${quoted('/home/me/my config')} --context prod get pods`,
  );
});

it('quotes what a shell would see more in', async () => {
  const files: Parameters<typeof reading>[0] = {
    '/c': [['$(touch x)', { account: 'corp', cluster: 'prod' }]],
  };
  expect(await line(files)).toBe("kubectl --kubeconfig /c --context '$(touch x)' get pods");
});

it('says what to do where no kubeconfig has one', async () => {
  await expect(line({ '/c': [['prod', { account: 'another', cluster: 'prod' }]] })).rejects.toMatchObject({
    code: 'kubeconfig.noContext',
    hint: 'add one where kubectl finds it: lanyard kubeconfig contexts',
  });
});
