import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { refuse } from '../../../contract/refusal.ts';
import { parseDockerConfig } from '../../../installed/docker/docker-config.ts';
import type { DockerConfigs } from '../../../installed/docker/docker-configs.ts';
import { createDockerCalls } from './docker-calls.ts';

const context = { signal: new AbortController().signal, progress: () => undefined as never };

function world({ locked = false, helper = true, isSetUp = false, changes = true } = {}) {
  const asked: string[] = [];
  const parsed = parseDockerConfig('{}');
  const plan = { changes: {}, logins: [], left: [], keeps: [], others: [], wraps: null, adopts: [] };
  const installed = { plan, changes, fault: null } as unknown as Awaited<
    ReturnType<DockerConfigs['install']>
  >;
  const note = (what: string) => (file: string) => {
    asked.push(`${what} ${file}`);
    return Promise.resolve(installed as never);
  };
  const calls = createDockerCalls({
    docker: {
      state: async () => ({
        config: parsed.ok ? parsed.config : null,
        edit: null,
        changedSince: false,
        undone: null,
        canUndo: isSetUp,
      }),
      plan: note('plan'),
      install: note('install'),
      undo: async (file) => {
        asked.push(`undo ${file}`);
        return { how: 'restored' };
      },
      undone: async () => [],
      list: async () => [],
    },
    gate: () => (locked ? refuse('locked', 'vault.locked', 'the vault is locked') : null),
    clock: { boottime: () => 0 },
    environment: { HOME: '/home/me', PATH: '/bin' },
    findProgram: async (name) => (helper ? { path: `/bin/${name}` } : null),
  });
  return { calls, asked };
}

describe('docker’s calls of a page', () => {
  it('mean docker’s own file, and undo only what a page has just done, once', async () => {
    const { calls, asked } = world();
    expect(await calls['docker.plan']({}, context)).toMatchObject({ docker: { fault: null } });
    const { undo } = await calls['docker.install']({}, context);
    if (undo === null) {
      throw new Error('nothing to undo it by');
    }
    expect(await calls['docker.undo']({ undo }, context)).toMatchObject({ how: 'restored' });
    await expect(calls['docker.undo']({ undo }, context)).rejects.toThrow('too long ago');
    await expect(calls['docker.undo']({ undo: 'guessed' }, context)).rejects.toThrow('too long ago');
    const file = resolve('/home/me/.docker/config.json');
    expect(asked).toEqual([`plan ${file}`, `install ${file}`, `undo ${file}`]);
  });

  it.each([{ isSetUp: true }, { isSetUp: true, changes: false }, { changes: false }])(
    'undo nothing that was there before: %j',
    async (before) => {
      const { calls } = world(before);
      expect(await calls['docker.install']({}, context)).toMatchObject({ undo: null });
    },
  );

  it('change nothing where docker would not find its helper', async () => {
    const { calls, asked } = world({ helper: false });
    expect(await calls['docker.plan']({}, context)).toMatchObject({
      docker: {
        fault: { message: expect.stringContaining('docker-credential-lanyard is not on your PATH') },
      },
    });
    await expect(calls['docker.install']({}, context)).rejects.toThrow('not on your PATH');
    expect(asked).toEqual([`plan ${resolve('/home/me/.docker/config.json')}`]);
  });

  it('are refused while Lanyard is locked', async () => {
    const { calls, asked } = world({ locked: true });
    await expect(calls['docker.plan']({}, context)).rejects.toThrow('locked');
    await expect(calls['docker.install']({}, context)).rejects.toThrow('locked');
    await expect(calls['docker.undo']({ undo: 'x' }, context)).rejects.toThrow('locked');
    expect(asked).toEqual([]);
  });
});
