import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { parse } from 'yaml';
import { modeOf } from '../../test/support/system.ts';
import { folderForTest } from '../../test/support/temporary-folder.ts';
import { cluster } from '../contract/config/cluster.ts';
import { writeManagedKubeconfig } from './write-managed-kubeconfig.ts';

let folder: string;
let path: string;

beforeEach(() => {
  folder = folderForTest();
  mkdirSync(join(folder, 'home'));
  path = join(folder, 'home', 'kubeconfig');
});
afterEach(() => vi.unstubAllEnvs());

const config = cluster.parse({ server: 'https://h', account: 'corp' });
const write = (...names: string[]) =>
  writeManagedKubeconfig({
    path,
    clusters: names.map((name) => ({ name, config, certificateAuthorityPem: null })),
    helperPath: '/h/bin/lanyard',
    home: null,
    apiVersion: 'v1',
  });

/** Every file of the folder with its content and time. */
function everything(): Record<string, string> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  return Object.fromEntries(
    files.map((entry) => {
      const file = join(entry.parentPath, entry.name);
      return [file, `${statSync(file).mtimeMs} ${readFileSync(file, 'utf8')}`];
    }),
  );
}

test('KEP-541/kubeconfig-unchanged: nothing but the managed file is touched, whatever HOME and KUBECONFIG say', async () => {
  mkdirSync(join(folder, '.kube', 'cache'), { recursive: true });
  writeFileSync(join(folder, '.kube', 'config'), 'the person’s own');
  writeFileSync(join(folder, 'other'), 'the person’s other');
  vi.stubEnv('HOME', folder);
  vi.stubEnv('KUBECONFIG', [join(folder, 'other'), join(folder, '.kube', 'config')].join(delimiter));
  const before = everything();
  await write('a');
  await write('a', 'b');
  const { [path]: managed, ...others } = everything();
  expect(managed).toContain('name: "b"');
  expect(others).toEqual(before);
});

test('it is for its owner alone, also where it was open before', async () => {
  writeFileSync(path, '');
  chmodSync(path, 0o644);
  await write('a');
  expect(modeOf(path)).toBe(0o600);
});

test('it goes on from the file that is there', async () => {
  await write('a', 'b');
  writeFileSync(path, readFileSync(path, 'utf8').replace('current-context: "a"', 'current-context: b'));
  expect(await write('c', 'b')).toEqual([]);
  expect(parse(readFileSync(path, 'utf8'))['current-context']).toBe('b');
});

test('what can’t be read is not replaced', async () => {
  mkdirSync(path);
  await expect(write('a')).rejects.toMatchObject({ code: 'kubeconfig.unreadable', reason: 'usage' });
  rmSync(path, { recursive: true });
  writeFileSync(path, Buffer.from([0xff, 0xfe]));
  await expect(write('a')).rejects.toMatchObject({ code: 'kubeconfig.unreadable' });
  expect(readFileSync(path)).toEqual(Buffer.from([0xff, 0xfe]));
});
