import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { folderForTest } from '../../../test/support/temporary-folder.ts';
import { installedCheck } from './installed-check.ts';

let folder: string;
beforeEach(() => {
  folder = folderForTest();
});

async function startFile(start: object) {
  const helper = join(folder, 'lanyard');
  await writeFile(helper, '');
  await chmod(helper, 0o755);
  const file = join(folder, 'start.json');
  await writeFile(file, JSON.stringify({ version: 1, ...start }));
  const [, found] = await installedCheck({ helper, start: file }).run(new AbortController().signal);
  return found;
}

const gone = '/Users/u/Downloads/Lanyard.app/Contents/MacOS/Lanyard';

it('says how an app that was moved writes its new path', async () => {
  const found = await startFile({ command: [gone, 'agent'], desktop: [gone, '--hidden'] });
  expect(found).toMatchObject({
    level: 'problem',
    message: expect.stringContaining(`${gone}, which is gone`),
  });
  expect(found?.hint).toMatch(/open it where it is now/);
  // The helper would start it by the path that is gone.
  expect(found?.hint).not.toContain('lanyard agent');
});

it('tells a broker without an app by its own words', async () => {
  const found = await startFile({ command: [process.execPath, '/gone/agent.js'] });
  expect(found).toMatchObject({ level: 'problem', hint: 'lanyard agent puts it there when it starts' });
});

it('is content with an app that is there', async () => {
  const { execPath } = process;
  const found = await startFile({ command: [execPath, 'agent'], desktop: [execPath, '--hidden'] });
  expect(found).toMatchObject({ level: 'ok' });
});
