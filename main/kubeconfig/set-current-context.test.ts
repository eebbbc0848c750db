import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { ManualClock } from '../../test/support/manual-clock.ts';
import { folderForTest } from '../../test/support/temporary-folder.ts';
import { setCurrentContext } from './set-current-context.ts';

let folder: string;
let file: string;
beforeEach(() => {
  folder = folderForTest();
  file = join(folder, 'config');
});

function set(context: string): Promise<void> {
  return setCurrentContext(
    { file, context, signal: new AbortController().signal },
    { clock: new ManualClock(), processes: { ownPid: () => process.pid, process: () => null }, host: 'h' },
  );
}

test.each([
  ['', 'current-context: "b"\n'],
  [
    '# mine\nkind: Config # yes\ncurrent-context: a # now\n',
    '# mine\nkind: Config # yes\ncurrent-context: b # now\n',
  ],
  ['{"current-context":"a","x":1}', '{"current-context":"b","x":1}'],
])('%j becomes %j', async (before, after) => {
  writeFileSync(file, before);
  await set('b');
  expect(readFileSync(file, 'utf8').replace(/"?b"?/, 'b')).toBe(after.replace(/"b"/, 'b'));
});

test.each([
  ['[1, 2]', 'context.entangled'],
  [Buffer.from([0xff, 0xfe, 0xfd]), 'context.unreadable'],
])('what can’t be edited (%s) is left as it is, with what to do', async (before, code) => {
  writeFileSync(file, before);
  await expect(set('b')).rejects.toMatchObject({ code, reason: 'usage', hint: expect.any(String) });
  expect(readFileSync(file)).toEqual(Buffer.from(before as string));
});

test('a file that has gone is said to be', async () => {
  await expect(set('b')).rejects.toMatchObject({ code: 'context.unreadable' });
});
