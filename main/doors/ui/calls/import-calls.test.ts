import { expect, test } from 'vitest';
import type { ImportCaller } from '../../../kubeconfig/import/read-source.ts';
import { createImportCalls, type ImportCallsDeps } from './import-calls.ts';

test.each([
  ['KUBECONFIG’s are merged as kubectl does', [], false],
  ['that are chosen, dropped or named are each read on their own', ['/a', '/b'], true],
])('files %s', async (_, files, apart) => {
  const stop = new Error('far enough');
  const asked: (boolean | undefined)[] = [];
  const calls = createImportCalls({
    environment: {},
    paths: () => ['/own', '/other'],
    gate: () => null,
    apiVersion: async () => 'v1',
    readSource: async (_sources: readonly string[], caller: ImportCaller) => {
      asked.push(caller.apart);
      throw stop;
    },
    readKubeconfigs: async (_files: readonly string[], options: { apart: boolean }) => {
      asked.push(options.apart);
      throw stop;
    },
  } as unknown as ImportCallsDeps);
  const context = { signal: new AbortController().signal, progress: () => undefined } as never;
  const wish = { pasted: null, contexts: null, inPlace: false, names: [], offlineAccess: false };
  await expect(calls['import.plan']({ ...wish, files }, context)).rejects.toBe(stop);
  await expect(calls['import.found']({ files }, context)).rejects.toBe(stop);
  expect(asked).toEqual([apart, apart]);
});
