import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test, vi } from 'vitest';
import { asOn } from '../../test/support/as-on-windows.ts';
import { askBefore } from '../../test/support/held-names.ts';
import { folderForTest } from '../../test/support/temporary-folder.ts';
import { namesOf, writeDurably } from './write-durably.ts';
import { writeExpected } from './write-expected.ts';

/** What another program does while it holds the file, once for each try to replace it. */
const holding: (() => void)[] = [];

askBefore(['rename'], () => {
  const held = holding.shift();
  if (held) {
    held();
    throw Object.assign(new Error('it is open'), { code: 'EPERM' });
  }
});

let folder: string;
let file: string;

beforeEach(() => {
  folder = folderForTest();
  file = join(folder, 'config');
  writeFileSync(file, 'old', { mode: 0o600 });
  holding.length = 0;
});

const nothing = () => undefined;

test('on Windows a file that another program has open is replaced once it is free', async () => {
  asOn('win32');
  holding.push(nothing, nothing, nothing);
  expect(await writeDurably(file, 'new', { mode: 0o600 })).toBe(true);
  expect([readFileSync(file, 'utf8'), readdirSync(folder)]).toEqual(['new', ['config']]);
});

test('elsewhere the same error is final, and leaves nothing behind', async () => {
  asOn('linux');
  holding.push(nothing);
  await expect(writeDurably(file, 'new', { mode: 0o600 })).rejects.toMatchObject({ code: 'file.write' });
  expect([readFileSync(file, 'utf8'), readdirSync(folder)]).toEqual(['old', ['config']]);
});

test('what the other program wrote meanwhile is not replaced (rule: reversible-edits)', async () => {
  asOn('win32');
  holding.push(nothing, () => writeFileSync(file, 'theirs'));
  const { all } = await namesOf(file);
  const write = { file, expected: 'old', text: 'new', mode: 0o600 };
  expect(await writeExpected(write, all, { area: 'kubeconfig', foreignHint: '' })).toBe(false);
  expect([readFileSync(file, 'utf8'), readdirSync(folder)]).toEqual(['theirs', ['config']]);
});

test('a folder in its place, of which Windows says the same, is told without a try', async () => {
  asOn('win32');
  rmSync(file);
  mkdirSync(file);
  holding.push(nothing);
  await expect(writeDurably(file, 'new', { mode: 0o600 })).rejects.toMatchObject({ code: 'file.write' });
  expect([holding.length, readdirSync(folder)]).toEqual([1, ['config']]);
});

test('a file that stays held is named with what to do, and is as it was', async () => {
  asOn('win32');
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  holding.push(...Array.from({ length: 100 }, () => nothing));
  const ready = vi.fn(async () => undefined);
  const written = writeDurably(file, 'new', { mode: 0o600, ready }).catch((error: unknown) => error);
  while (vi.getTimerCount() > 0 || holding.length === 100) {
    await vi.advanceTimersByTimeAsync(500);
    await new Promise((resolve) => setImmediate(resolve));
  }
  vi.useRealTimers();
  expect(await written).toMatchObject({ code: 'file.write', hint: expect.stringContaining('open') });
  // It would write what goes with the file (rule: reversible-edits).
  expect(ready).not.toHaveBeenCalled();
  expect([readFileSync(file, 'utf8'), readdirSync(folder)]).toEqual(['old', ['config']]);
});
