import { expect, test } from 'vitest';
import { refuse } from '../../../contract/refusal.ts';
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

/** (rule: locked-issues-nothing) */
test('a lock that comes with the user’s yes ends the import: no file is edited', async () => {
  const merged = { files: [], problems: [] };
  const source = { merged, authorityFiles: new Map() };
  const plan = { users: [{ becomes: { account: 'corp' } }], clusters: [], questions: [] };
  let isHeld = true;
  const calls = createImportCalls({
    environment: {},
    gate: () => (isHeld ? null : refuse('locked', 'vault.locked', 'lanyard is locked')),
    plans: {
      take: () => ({ source, selection: {}, prepared: { plan, edits: [], files: [{}] }, pasted: null }),
    },
    readSource: async () => source,
    refusal: async () => null,
    bindings: {
      pending: () => (isHeld ? {} : null),
      onConfirmed: (look: () => void) => {
        setImmediate(() => {
          isHeld = false;
          look();
        });
        return { dispose: () => undefined };
      },
    },
    config: {
      current: () => ({ accounts: new Map([['corp', {}]]) }),
      onChange: () => ({ dispose: () => undefined }),
    },
    clock: { after: () => ({ dispose: () => undefined }) },
    apply: () => expect.unreachable(),
  } as unknown as ImportCallsDeps);
  const steps: unknown[] = [];
  const context = {
    signal: new AbortController().signal,
    progress: ({ step }: { step: string }) => void steps.push(step),
  } as never;
  await expect(calls['import.apply']({ id: '1', agreed: [] }, context)).rejects.toMatchObject({
    code: 'vault.locked',
  });
  expect(steps).toEqual(['doing', 'held']);
});
