import { lstatSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { placeHelper, writeStartFile } from './place-helper.ts';

let folder: string;
const at = (name: string) => join(folder, name);

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ly-install-'));
  writeFileSync(at('built'), 'the helper');
  return () => rmSync(folder, { recursive: true });
});

// An attacker’s link there would overwrite any file of the user, or make the helper another program.
describe.each([
  [
    'start.json',
    'start.json',
    '{"version":1,"command":["/l"]}\n',
    () => writeStartFile(at('start.json'), { command: ['/l'] }),
  ],
  ['the helper', 'lanyard', 'the helper', () => placeHelper(at('built'), at('lanyard'))],
])('%s', (_, name, text, write) => {
  it.each([
    ['another text', 'a file of the person’s'],
    ['the same text', text],
  ])('takes the place of a link to a file with %s', async (_, before) => {
    writeFileSync(at('theirs'), before);
    symlinkSync(at('theirs'), at(name));
    await write();
    expect(lstatSync(at(name)).isFile()).toBe(true);
    expect([readFileSync(at(name), 'utf8'), readFileSync(at('theirs'), 'utf8')]).toEqual([text, before]);
  });
});
