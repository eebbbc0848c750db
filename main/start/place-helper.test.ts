import {
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { silentLog } from '../ports/log.ts';
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
  ['the helper', 'lanyard', 'the helper', () => placeHelper(at('built'), at('lanyard'), { log: silentLog })],
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

describe('on Windows', () => {
  const windows = { platform: 'win32', log: silentLog };

  it('a kubelet’s names are copies, and as new as the helper', async () => {
    writeFileSync(at('lanyard-credential-provider-2.exe'), 'an older helper');
    writeFileSync(at('theirs.exe'), 'another program');
    await placeHelper(at('built'), at('lanyard.exe'), windows);
    const names = ['lanyard.exe', 'lanyard-credential-provider.exe', 'lanyard-credential-provider-2.exe'];
    expect(names.map((name) => readFileSync(at(name), 'utf8'))).toEqual(Array(3).fill('the helper'));
    expect(readFileSync(at('theirs.exe'), 'utf8')).toBe('another program');
  });

  it('an older helper that can’t be replaced serves on, with a line in the log: the broker starts', async () => {
    writeFileSync(at('lanyard.exe'), 'an older helper');
    const lines: string[] = [];
    const rename = async () => {
      throw Object.assign(new Error('an antivirus has it'), { code: 'EPERM' });
    };
    await placeHelper(at('built'), at('lanyard.exe'), {
      platform: 'win32',
      log: { ...silentLog, warn: (line) => void lines.push(line) },
      files: { rename, unlink: async (path) => rmSync(path) },
    });
    expect(lines).toEqual(['helper.kept']);
    expect(readFileSync(at('lanyard.exe'), 'utf8')).toBe('an older helper');
  });

  it('what an earlier start put aside goes at the next one', async () => {
    writeFileSync(at('lanyard.exe.old-0a1b2c3d'), 'an older helper');
    await placeHelper(at('built'), at('lanyard.exe'), windows);
    expect(readdirSync(folder)).not.toContain('lanyard.exe.old-0a1b2c3d');
  });
});
