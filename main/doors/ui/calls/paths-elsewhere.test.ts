import { expect, it, test } from 'vitest';
import { createImportCalls, type ImportCallsDeps } from './import-calls.ts';
import { refusePathsElsewhere } from './paths-elsewhere.ts';
import { createProviderCalls, type ProviderCallsDeps } from './provider-calls.ts';

const context = { signal: new AbortController().signal, progress: () => undefined } as never;

it.each([
  ['\\\\host\\share\\config', true],
  ['//host/share/config', true],
  ['\\/host/share', true],
  [' //host/share', true],
  ['\\??\\UNC\\host\\share', true],
  ['\\\\?\\UNC\\host\\share', true],
  ['/home/dev/.kube/config', false],
  ['C:\\Users\\dev\\.kube\\config', false],
  ['/home//dev', false],
])('%s leads to another machine: %s', (path, leads) => {
  const judged = () => refusePathsElsewhere(['/fine', path]);
  leads ? expect(judged).toThrow('another machine') : expect(judged).not.toThrow();
  expect(() => refusePathsElsewhere([path], [path])).not.toThrow();
});

test('a page has no file of another machine read, but for those that kubectl reads', async () => {
  const read: unknown[] = [];
  const reading = async (files: unknown) => {
    read.push(files);
    throw new Error('read');
  };
  const far = '\\\\host\\share\\config';
  const own = '\\\\home\\dev\\config';
  const calls = createImportCalls({
    environment: {},
    gate: () => null,
    paths: () => [own],
    readKubeconfigs: reading,
    readSource: reading,
    apiVersion: async () => 'v1',
  } as unknown as ImportCallsDeps);
  const wish = { pasted: null, contexts: null, inPlace: false, names: [], offlineAccess: false };
  const each = (files: string[]) => [
    () => calls['import.found']({ files }, context),
    () => calls['import.plan']({ files, ...wish }, context),
    () => calls['import.stands']({ file: files[0] ?? '' }, context),
  ];
  for (const call of each([far])) {
    await expect(call()).rejects.toMatchObject({ code: 'path.elsewhere', reason: 'usage' });
  }
  expect(read).toEqual([]);
  for (const call of each([own])) {
    await expect(call()).rejects.toThrow('read');
  }
  expect(read).toEqual([[own], [own], [own]]);
});

test('nor a kubelet’s configuration, or its folder of plugins', async () => {
  const calls = createProviderCalls({ gate: () => null } as unknown as ProviderCallsDeps);
  for (const input of [
    { path: '//host/share/config.yaml', binFolder: '/bin' },
    { path: '/config.yaml', binFolder: '//host/share' },
  ]) {
    await expect(calls['providers.plan'](input, context)).rejects.toMatchObject({ code: 'path.elsewhere' });
  }
});
