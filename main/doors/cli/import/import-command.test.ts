import { describe, expect, test } from 'vitest';
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
