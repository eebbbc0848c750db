import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { onWindows } from '../../../test/support/system.ts';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';
import { readPeople } from './read-people.ts';

const folder = temporaryFolder();
beforeEach(() => vi.spyOn(process, 'geteuid').mockReturnValue(1000));
afterEach(() => vi.restoreAllMocks());

async function read(platform: NodeJS.Platform, { passwd = '', group = '' } = {}) {
  const files = { passwd: join(folder(), 'passwd'), group: join(folder(), 'group') };
  await writeFile(files.passwd, passwd);
  await writeFile(files.group, group);
  return readPeople(platform, files);
}

const passwd = `root:x:0:0:root:/root:/bin/sh
# a comment
+nis
me:x:1000:1000:Me:/home/me:/bin/sh
mallory:x:1001:100::/home/mallory:/bin/sh
`;

// passwd and group are Unix’s.
describe.skipIf(onWindows)('a group', () => {
  it.each<[what: string, gid: number, line: string, alone: boolean]>([
    ['root’s', 0, 'root:x:0:anyone', true],
    ['one’s own, private', 1000, 'me:x:1000:', true],
    ['with nobody in it', 50, 'staff:x:50:', true],
    ['with this user and root named', 50, 'staff:x:50:me,root', true],
    ['with somebody else named', 1000, 'me:x:1000:mallory', false],
    ['with somebody else named among others', 50, 'staff:x:50:me,mallory', false],
    ['that is somebody’s first', 100, 'users:x:100:', false],
    ['that no file knows', 7000, 'me:x:1000:', false],
  ])('%s', async (_, gid, line, alone) => {
    const people = await read('linux', { passwd, group: `${line}\n` });
    expect(people?.isAlone(gid)).toBe(alone);
  });

  it('of macOS’ administrators is as root’s, any other is other people’s', async () => {
    const people = await read('darwin', { passwd, group: 'admin:*:80:root,mallory\nstaff:*:20:root\n' });
    expect([0, 80, 20].map((gid) => people?.isAlone(gid))).toEqual([true, true, false]);
  });
});

describe.skipIf(onWindows)('names', () => {
  it('are the files’', async () => {
    const people = await read('linux', { passwd, group: 'staff:x:50:\n' });
    expect([0, 1000, 1001, 7].map((uid) => people?.userName(uid))).toEqual(['root', 'me', 'mallory', null]);
    expect([50, 51].map((gid) => people?.groupName(gid))).toEqual(['staff', null]);
  });

  it('are unknown without the files, and on Windows nothing is', async () => {
    const gone = join(folder(), 'gone');
    const people = await readPeople('linux', { passwd: gone, group: gone });
    expect([people?.userName(0), people?.groupName(50), people?.isAlone(50)]).toEqual([null, null, false]);
    expect(await read('win32')).toBeNull();
  });
});
