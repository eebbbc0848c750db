import { describe, expect, test } from 'vitest';
import { BrokerError } from '../../../contract/broker-error.ts';
import type { ImportSource, PreparedImport } from '../../../kubeconfig/import/prepare.ts';
import { refusalAnswer } from '../../../ports/door.ts';
import { commandCall } from '../testing/command-call.ts';
import { importCommand } from './import-command.ts';

const stop = new Error('far enough');

/** The PATH whose kubectl would be run for an import that `origin` asks for. */
async function searchedPath(origin: 'local' | 'ssh' | 'container'): Promise<string | undefined> {
  let searched: string | undefined;
  const never = () => Promise.reject(stop);
  const command = importCommand({
    paths: () => [],
    read: never,
    apiVersion: async (path) => {
      searched = path;
      return 'v1';
    },
    prepare: () => {
      throw stop;
    },
    apply: never,
    refusal: never,
    hasManaged: async () => false,
    writeManaged: never,
    markSeen: never,
    kubectl: { of: never, next: never },
    managed: '/managed',
    config: '/config.yaml',
  });
  const call = commandCall([], { origin });
  const terminal = { ...call.terminal, environment: async () => ({ PATH: '/home/me/project' }) };
  await expect(command({ ...call, terminal })).rejects.toBe(stop);
  return searched;
}

describe('the kubectl that an import asks for what it knows', () => {
  test('is that of the caller’s PATH', async () => {
    expect(await searchedPath('local')).toBe('/home/me/project');
    expect(await searchedPath('ssh')).toBe('/home/me/project');
  });

  test('is none for a caller in a container: nothing that it names is run out here', async () => {
    expect(await searchedPath('container')).toBeUndefined();
  });
});

/** An import of one file whose edit `refused` tells against; null: nothing does. */
async function endOf(args: string[], refused: BrokerError | null) {
  const merged = { files: [{ path: '/k', target: '/k', text: 'x', mode: null }], problems: [] };
  const none = { users: new Map(), clusters: new Map(), contexts: new Map(), hidden: [] };
  const plan = {
    ...{ users: [], clusters: [], questions: [], plainElsewhere: [], notes: [], offlineAccess: null },
    unused: { users: [], clusters: [] },
  };
  let applied = 0;
  const command = importCommand({
    kubectl: { of: async () => new Map(), next: async () => '' },
    paths: () => ['/k'],
    read: async () => ({ merged: { ...merged, ...none } }) as unknown as ImportSource,
    apiVersion: async () => 'v1',
    prepare: async () =>
      ({
        plan,
        edits: [],
        files: [{ path: '/k', hunks: [], changes: 1, stillHolds: [] }],
      }) as unknown as PreparedImport,
    refusal: async () => refused,
    apply: async () => {
      applied += 1;
      return [];
    },
    hasManaged: async () => false,
    writeManaged: async () => [],
    markSeen: async () => undefined,
    managed: '/managed',
    config: '/config.yaml',
  });
  const answer = await command(commandCall(['--in-place', ...args])).catch((error: BrokerError) =>
    refusalAnswer(error.toRefusal()),
  );
  return { code: answer.code, stderr: answer.stderr, hasPlan: answer.stdout !== undefined, applied };
}

describe('a dry run', () => {
  test('ends as the run would, which refuses before it asks', async () => {
    const refused = new BrokerError('kubeconfig.kind', 'nothing was imported: why', {
      reason: 'usage',
      hint: 'do this',
    });
    const end = { code: 2, stderr: 'lanyard: nothing was imported: why\nhint: do this\n', applied: 0 };
    expect(await endOf(['--dry-run'], refused)).toEqual({ ...end, hasPlan: true });
    expect(await endOf(['--dry-run', '--json'], refused)).toEqual({ ...end, hasPlan: true });
    expect(await endOf([], refused)).toEqual({ ...end, hasPlan: false });
    expect(await endOf(['--yes'], refused)).toEqual({ ...end, hasPlan: false });
  });

  test('is good where the run is', async () => {
    expect(await endOf(['--dry-run'], null)).toMatchObject({ code: 0, applied: 0 });
    expect(await endOf(['--yes'], null)).toMatchObject({ code: 0, applied: 1 });
  });
});
