import { chmodSync, lchownSync, mkdirSync, renameSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { accessLists, modeOf, onWindows, withoutLinks } from '../../test/support/system.ts';
import { folderForTest } from '../../test/support/temporary-folder.ts';
import table from '../../test/wire/tables/homes.json' with { type: 'json' };
import { prepareHome, thisOwner } from './home.ts';

const homes: readonly {
  name: string;
  at: string;
  mode: string;
  holds: boolean;
  is: string;
  asRoot?: boolean;
}[] = table.homes;
let folder: string;
const uid = process.getuid?.() ?? 0;
const owner = onWindows ? thisOwner(accessLists()) : { platform: 'linux', uid, access: null };

beforeEach(() => {
  folder = folderForTest();
});

const at = (home: string) => ({ home, socket: join(home, 'lanyard.sock') });

test('a home is made with its parents, for its owner alone (rule: owner-only)', async () => {
  const home = join(folder, 'a', 'b', 'home');
  await prepareHome(at(home), owner);
  expect(modeOf(home)).toBe(0o700);
  expect(modeOf(join(folder, 'a')) & 0o077).toBe(0);
  await prepareHome(at(home), owner);
});

/**
 * Read by the helper's tests, too (native-helper/helper/tests/local.rs): both take the same for a home. It states modes
 * and links.
 */
test.skipIf(onWindows).each(homes.filter(({ asRoot }) => !asRoot || uid === 0))(
  '$name is $is',
  async (row) => {
    const [home, real, file, other] = ['at', 'folder', 'file', 'other'].map((name) => join(folder, name)) as [
      string,
      string,
      string,
      string,
    ];
    mkdirSync(real);
    writeFileSync(file, '');
    if (row.holds) {
      writeFileSync(join(real, 'vault'), '');
    }
    const mode = Number.parseInt(row.mode, 8);
    chmodSync(real, mode);
    const make: Record<string, () => void> = {
      folder: () => renameSync(real, home),
      file: () => renameSync(file, home),
      link: () => symlinkSync('folder', home),
      linkToLink: () => {
        symlinkSync(real, other);
        symlinkSync('other', home);
      },
      linkToFile: () => symlinkSync('file', home),
      dangling: () => symlinkSync('nowhere', home),
      circle: () => symlinkSync('at', home),
      foreignLink: () => {
        symlinkSync('folder', home);
        lchownSync(home, 65_534, 65_534);
      },
      linkToForeignLink: () => {
        symlinkSync('folder', other);
        lchownSync(other, 65_534, 65_534);
        symlinkSync('other', home);
      },
    };
    make[row.at]?.();
    const prepared = prepareHome(at(home), owner).then(
      () => null,
      ({ code }) => code as string,
    );
    if (row.is === 'refused') {
      expect(await prepared).toMatch(/^home\.(unusable|owner|permissions)$/);
    } else {
      expect(await prepared).toBeNull();
      expect(statSync(home).mode & 0o777).toBe(0o700);
    }
  },
);

test.skipIf(onWindows).each([0o755, 0o770, 0o701, 0o720])(
  'a home of mode %o is refused with the command that closes it',
  async (mode) => {
    const home = join(folder, "it's home");
    mkdirSync(home);
    writeFileSync(join(home, 'vault'), '');
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

test.skipIf(onWindows)('a home of another user is refused, by a link of one’s own too', async () => {
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

describe('on Windows, where access lists count,', () => {
  /** Folders that are open to others; what is new there is, too. */
  const windows = (open: Set<string>, onClose: (home: string) => void = () => undefined) => ({
    platform: 'win32',
    uid: null,
    access: {
      isOpen: (path: string) => open.has(path),
      close: (path: string) => {
        open.delete(path);
        onClose(path);
      },
    },
  });

  test('a home that is new outside the profile is closed to others (rule: owner-only)', async () => {
    const home = join(folder, 'home');
    const open = new Set([home]);
    await prepareHome(at(home), windows(open));
    expect(open.size).toBe(0);
  });

  test('one that is open and has files is refused, and not touched', async () => {
    const home = join(folder, 'home');
    mkdirSync(home);
    writeFileSync(join(home, 'vault'), '');
    const open = new Set([home]);
    await expect(prepareHome(at(home), windows(open))).rejects.toMatchObject({
      code: 'home.permissions',
      reason: 'usage',
    });
    expect(open.size).toBe(1);
  });

  test('what others put in while it is closed shows', async () => {
    const home = join(folder, 'home');
    const owner = windows(new Set([home]), () => writeFileSync(join(home, 'start.json'), 'theirs'));
    await expect(prepareHome(at(home), owner)).rejects.toMatchObject({ code: 'home.permissions' });
  });

  test('another user’s folder stays open whatever is tried, and is refused', async () => {
    const home = join(folder, 'home');
    const { access, ...owner } = windows(new Set());
    const foreign = { ...owner, access: { ...access, isOpen: () => true } };
    await expect(prepareHome(at(home), foreign)).rejects.toMatchObject({ code: 'home.permissions' });
  });

  test('a closed one is taken as it is, and a file is none', async () => {
    const home = join(folder, 'home');
    mkdirSync(home);
    writeFileSync(join(home, 'vault'), '');
    await prepareHome(at(home), windows(new Set()));
    await expect(prepareHome(at(join(home, 'vault')), windows(new Set()))).rejects.toMatchObject({
      code: 'home.unusable',
    });
  });
});

test.each<[string, (home: string) => void]>([
  ['a file', (home: string) => writeFileSync(home, '')],
  ...(withoutLinks
    ? []
    : ([['a dangling link', (home) => symlinkSync('nowhere', home)]] as [string, (home: string) => void][])),
])('%s at its place is refused', async (_name, make) => {
  const home = join(folder, 'home');
  make(home);
  await expect(prepareHome(at(home), owner)).rejects.toMatchObject({
    code: 'home.unusable',
    reason: 'usage',
  });
});

describe.skipIf(onWindows)('a path too long for a socket', () => {
  const pathOf = (bytes: number) => `/${'x'.repeat(bytes - '/lanyard.sock'.length - 1)}`;
  test.each([
    ['linux', 107],
    ['darwin', 103],
  ])('on %s is one of more than %i bytes', async (platform, limit) => {
    // The longest path is taken, and then fails only for what else is wrong with it.
    const longest = { home: join(folder, 'home'), socket: `${pathOf(limit)}/lanyard.sock` };
    await prepareHome(longest, { platform, uid, access: null });
    const tooLong = { home: join(folder, 'none'), socket: `${pathOf(limit + 1)}/lanyard.sock` };
    await expect(prepareHome(tooLong, { platform, uid, access: null })).rejects.toMatchObject({
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
