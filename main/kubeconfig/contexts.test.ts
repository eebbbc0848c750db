import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { folderForTest } from '../../test/support/temporary-folder.ts';
import { createContextReader } from './contexts.ts';
import { readKubeconfigs } from './read/read-kubeconfigs.ts';

let folder: string;
let reads: number;
beforeEach(() => {
  folder = folderForTest();
  reads = 0;
});

const reader = () =>
  createContextReader((files) => {
    reads += 1;
    return readKubeconfigs(files);
  });

function write(name: string, users: Record<string, object>, more: object = {}): string {
  const file = join(folder, name);
  const value = {
    clusters: [{ name: 'c', cluster: { server: 'https://c' } }],
    users: Object.entries(users).map(([user, value]) => ({ name: user, user: value })),
    contexts: Object.keys(users).map((user) => ({ name: user, context: { cluster: 'c', user } })),
    ...more,
  };
  writeFileSync(file, JSON.stringify(value));
  return file;
}

const exec = (command: string, ...args: string[]) => ({
  exec: { apiVersion: 'client.authentication.k8s.io/v1', interactiveMode: 'Never', command, args },
});

test('tells by whose credential a context goes, where its user asks Lanyard', async () => {
  const file = write(
    'k',
    {
      one: exec('/h/bin/lanyard', 'kube-credential', '--account', 'a', '--cluster', 'c'),
      other: exec('/h/bin/lanyard', 'kube-credential', '--account=a'),
      windows: exec('C:\\h\\bin\\lanyard.exe', 'kube-credential', '--cluster', 'c', '--account', 'a'),
      aws: exec('aws', 'kube-credential', '--account', 'a'),
      status: exec('/h/bin/lanyard', 'status'),
      token: { token: 'x' },
    },
    { 'current-context': 'other' },
  );
  const { entries, current, files } = await reader()([file, join(folder, 'missing')]);
  expect([...entries.values()].map(({ name, lanyard }) => [name, lanyard])).toEqual([
    ['one', { account: 'a', cluster: 'c' }],
    ['other', { account: 'a', cluster: null }],
    ['windows', { account: 'a', cluster: 'c' }],
    ['aws', null],
    ['status', null],
    ['token', null],
  ]);
  expect(current).toEqual({ name: 'other', file });
  expect(files).toEqual([file]);
});

test('the files are read once per change, however many ask', async () => {
  const [one, two] = [write('one', { a: {} }), write('two', { b: {} })];
  const contexts = reader();
  await Promise.all([contexts([one, two]), contexts([one, two]), contexts([one, two])]);
  await contexts([one, two]);
  expect(reads).toBe(1);
  write('two', { b: {}, later: {} });
  expect([...(await contexts([one, two])).entries.keys()]).toEqual(['a', 'b', 'later']);
  expect(reads).toBe(2);
  rmSync(two);
  expect([...(await contexts([one, two])).entries.keys()]).toEqual(['a']);
});

test('what is kept holds no secret', async () => {
  const file = write('k', { t: { token: 'planted-secret' } });
  const { entries } = await reader()([file]);
  expect(JSON.stringify([...entries])).not.toContain('secret');
});

test('a reading that failed is not kept', async () => {
  let fails = true;
  const contexts = createContextReader((files) =>
    fails ? Promise.reject(new Error('no more files')) : readKubeconfigs(files),
  );
  const file = write('k', { a: {} });
  await expect(contexts([file])).rejects.toThrow('no more files');
  fails = false;
  expect((await contexts([file])).entries.size).toBe(1);
});
