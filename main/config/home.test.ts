import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { prepareHome } from './home.ts';

let folder: string;
const uid = process.getuid?.() ?? 0;
const owner = { platform: 'linux', uid };

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ly-home-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const at = (home: string) => ({ home, socket: join(home, 'lanyard.sock') });

test('a home is made with its parents, for its owner alone', async () => {
  const home = join(folder, 'a', 'b', 'home');
  await prepareHome(at(home), owner);
  expect(statSync(home).mode & 0o777).toBe(0o700);
  expect(statSync(join(folder, 'a')).mode & 0o077).toBe(0);
  await prepareHome(at(home), owner);
});

test('a link of the person’s own to a folder of theirs is a home', async () => {
  mkdirSync(join(folder, 'real'), { mode: 0o700 });
  symlinkSync('real', join(folder, 'home'));
  await prepareHome(at(join(folder, 'home')), owner);
});

test.each([0o755, 0o770, 0o701, 0o720])(
  'a home of mode %o is refused with the command that closes it',
  async (mode) => {
    const home = join(folder, "it's home");
    mkdirSync(home);
    chmodSync(home, mode);
    await expect(prepareHome(at(home), owner)).rejects.toMatchObject({
      code: 'home.permissions',
      reason: 'usage',
      message: expect.stringContaining(`mode ${mode.toString(8)}`),
      hint: expect.stringContaining(`chmod 700 '${home.replace("'", "'\\''")}'`),
    });
    expect(statSync(home).mode & 0o777).toBe(mode);
  },
);

test('a home of another user is refused, by a link of one’s own too', async () => {
  const home = join(folder, 'home');
  mkdirSync(home, { mode: 0o700 });
  const other = { ...owner, uid: uid + 1 };
  await expect(prepareHome(at(home), other)).rejects.toMatchObject({
    code: 'home.owner',
    message: expect.stringContaining(`belongs to user ${uid}`),
  });
  symlinkSync(home, join(folder, 'link'));
  await expect(prepareHome(at(join(folder, 'link')), other)).rejects.toMatchObject({ code: 'home.owner' });
});

test.each([
  ['a file', (home: string) => writeFileSync(home, '')],
  ['a dangling link', (home: string) => symlinkSync('nowhere', home)],
])('%s at its place is refused', async (_name, make) => {
  const home = join(folder, 'home');
  make(home);
  await expect(prepareHome(at(home), owner)).rejects.toMatchObject({
    code: 'home.unusable',
    reason: 'usage',
  });
});

describe('a path too long for a socket', () => {
  const pathOf = (bytes: number) => `/${'x'.repeat(bytes - '/lanyard.sock'.length - 1)}`;
  test.each([
    ['linux', 107],
    ['darwin', 103],
  ])('on %s is one of more than %i bytes', async (platform, limit) => {
    // The longest path is taken, and then fails only for what else is wrong with it.
    const longest = { home: join(folder, 'home'), socket: `${pathOf(limit)}/lanyard.sock` };
    await prepareHome(longest, { platform, uid });
    const tooLong = { home: join(folder, 'none'), socket: `${pathOf(limit + 1)}/lanyard.sock` };
    await expect(prepareHome(tooLong, { platform, uid })).rejects.toMatchObject({
      code: 'home.socketPath',
      hint: expect.stringContaining('LANYARD_HOME'),
    });
    expect(() => statSync(join(folder, 'none'))).toThrow('ENOENT');
  });

  test('is counted in bytes', async () => {
    const socket = `/${'é'.repeat(50)}/lanyard.sock`;
    await expect(prepareHome({ home: folder, socket }, owner)).rejects.toMatchObject({
      code: 'home.socketPath',
    });
  });
});
