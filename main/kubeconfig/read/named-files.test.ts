import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { folderForTest } from '../../../test/support/temporary-folder.ts';
import { readNamedFiles } from './named-files.ts';

it('reads no more of one file with many names than all may have together', async () => {
  const folder = folderForTest();
  await writeFile(join(folder, 'big'), 'x'.repeat(100_000));
  const paths = Array.from({ length: 200 }, (_, index) => `${folder}${'/.'.repeat(index)}/big`);
  const contents = await readNamedFiles(paths, undefined, 1_000_000);
  const read = [...contents.values()].filter(({ ok }) => ok).length;
  // Those that were begun at once may go over it.
  expect(read).toBeGreaterThanOrEqual(10);
  expect(read).toBeLessThan(30);
  expect(contents.get(paths.at(-1) ?? '')).toMatchObject({ fault: expect.stringContaining('not read') });
  expect(contents.size).toBe(200);
});
