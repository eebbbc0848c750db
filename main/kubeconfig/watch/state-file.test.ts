import { chmodSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { modeOf } from '../../../test/support/system.ts';
import { folderForTest } from '../../../test/support/temporary-folder.ts';
import type { Log } from '../../ports/log.ts';
import { openKubeconfigState } from './state-file.ts';

let folder: string;
let file: string;
let logged: string[];
const log: Log = {
  debug() {},
  info() {},
  warn: (event) => void logged.push(event),
  error: (event) => void logged.push(event),
};

beforeEach(() => {
  folder = folderForTest();
  file = join(folder, 'kubeconfigs.json');
  logged = [];
});

const open = () => openKubeconfigState({ file, log });

test('what was written is there after a restart, for the owner alone', async () => {
  const state = await open();
  const kept = await state.update((current) => ({
    ...current,
    files: ['/a'],
    seen: { '/a': [['__proto__', 'staticToken']] },
    previousContexts: { '/a': 'prod' },
  }));
  expect(kept).toBe(true);
  expect((await open()).current()).toEqual(state.current());
  expect(state.current().seen).toEqual({ '/a': [['__proto__', 'staticToken']] });
  expect(modeOf(file)).toBe(0o600);
  expect(logged).toEqual([]);
});

test('changes that come together follow each other', async () => {
  const state = await open();
  const add = (name: string) => state.update((current) => ({ ...current, files: [...current.files, name] }));
  await Promise.all(['a', 'b', 'c'].map(add));
  expect((await open()).current().files).toEqual(['a', 'b', 'c']);
});

test('nothing is written where nothing changes', async () => {
  const state = await open();
  await state.update((current) => current);
  expect(() => statSync(file)).toThrow(/ENOENT/);
});

test.each([
  ['half of it', '{"version":1,"files":["/a"'],
  ['another version', '{"version":9}'],
  ['of another shape', '{"version":1,"files":"/a","seen":{},"dismissed":{},"previousContexts":{}}'],
  ['empty', ''],
  ['not text', Buffer.from([0xff, 0xfe])],
])('a damaged file (%s) is begun anew, and the log says so', async (_, content) => {
  writeFileSync(file, content);
  const state = await open();
  expect(state.current().files).toEqual([]);
  expect(logged).toEqual(['kubeconfigs.anew']);
  await state.update((current) => ({ ...current, files: ['/b'] }));
  expect(JSON.parse(readFileSync(file, 'utf8')).files).toEqual(['/b']);
});

test('a folder in its place: what is remembered holds until the end, and the log says so', async () => {
  mkdirSync(file);
  const state = await open();
  expect(await state.update((current) => ({ ...current, files: ['/a'] }))).toBe(false);
  expect(state.current().files).toEqual(['/a']);
  expect(logged).toEqual(['kubeconfigs.anew', 'kubeconfigs.write']);
});

test('a file that others could read is closed when it is written', async () => {
  const state = await open();
  await state.update((current) => ({ ...current, files: ['/a'] }));
  chmodSync(file, 0o644);
  await state.update((current) => ({ ...current, files: ['/b'] }));
  expect(modeOf(file)).toBe(0o600);
});
