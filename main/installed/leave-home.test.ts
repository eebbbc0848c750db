import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, unlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { folderForTest } from '../../test/support/temporary-folder.ts';
import { type Paths, resolvePaths } from '../domain/paths.ts';
import { silentLog } from '../ports/log.ts';
import { leaveDesktop, leaveHome, leaveLock } from './leave-home.ts';

let home: string;

beforeEach(() => {
  home = folderForTest();
});

test.each([true, false])(
  'what inventories listed, and lists of what is used, go with the vault: %s',
  async (vault) => {
    const paths = resolvePaths({ LANYARD_HOME: home }, process.platform);
    mkdirSync(paths.inventories);
    writeFileSync(join(paths.inventories, 'fleet.json'), '{}');
    writeFileSync(join(paths.inventories, '.fleet.json.tmp'), '{');
    const lists = [paths.kubeconfigs, paths.userContexts, paths.usedProfiles, paths.proxyClients];
    for (const list of lists) {
      writeFileSync(list, '{}');
    }
    await leaveHome(
      paths,
      { helper: false, vault, config: false, aside: [], folders: [], list: false },
      { log: silentLog },
    );
    expect(existsSync(paths.inventories)).toBe(!vault);
    expect(lists.map(existsSync)).toEqual(lists.map(() => !vault));
  },
);

describe('a home that goes on Windows, where no open file can be removed', () => {
  const all = { helper: true, vault: true, config: true, aside: [], folders: [], list: true };
  let paths: Paths;
  /** Files that can’t be removed now; after so many tries they can. */
  let held: Map<string, number>;
  let logged: unknown[];

  const windows = () => ({
    platform: 'win32',
    log: { warn: (_line: string, more?: object) => void logged.push(more) },
    files: {
      rename: async (from: string, to: string) => {
        renameSync(from, to);
        held.set(to, held.get(from) ?? 0);
      },
      unlink: async (path: string) => {
        const left = held.get(path) ?? 0;
        if (left > 0) {
          held.set(path, left - 1);
          throw Object.assign(new Error('it is open'), { code: 'EBUSY' });
        }
        unlinkSync(path);
      },
    },
  });

  beforeEach(() => {
    // Of this machine’s kind, with Windows’ name of the helper.
    const own = resolvePaths({ LANYARD_HOME: home }, process.platform);
    paths = { ...own, helper: own.helper.replace(/(\.exe)?$/, '.exe') };
    held = new Map();
    logged = [];
    mkdirSync(dirname(paths.helper));
    for (const file of [paths.helper, paths.lock, paths.start, paths.installed, paths.installedLock]) {
      writeFileSync(file, '');
    }
    writeFileSync(join(dirname(paths.helper), 'lanyard-credential-provider.exe'), '');
  });

  test('the lock’s file goes last, once the lock is released, and the home with it', async () => {
    await leaveHome(paths, all, windows());
    expect(readdirSync(home)).toEqual(['lock']);
    await leaveLock(paths, all);
    expect(existsSync(home)).toBe(false);
  });

  test('the helper that asked for it is waited for', async () => {
    held.set(paths.helper, 3);
    await leaveHome(paths, all, windows());
    expect([readdirSync(home), logged]).toEqual([['lock'], []]);
  });

  test('a helper that runs on is put aside, and the log says so: nothing starts it any more', async () => {
    held.set(paths.helper, Number.POSITIVE_INFINITY);
    await leaveHome(paths, all, { ...windows(), limitMilliseconds: 50 });
    const [name, ...others] = readdirSync(dirname(paths.helper));
    expect(others).toEqual([]);
    expect(name).toMatch(/^lanyard\.exe\.old-[0-9a-f]{8}$/);
    expect(logged).toEqual([expect.objectContaining({ program: join(dirname(paths.helper), name ?? '') })]);
    expect(existsSync(paths.start)).toBe(false);
  });

  test('one that can’t even be renamed is named in the log', async () => {
    held.set(paths.helper, Number.POSITIVE_INFINITY);
    const rename = () => Promise.reject(Object.assign(new Error('it is open'), { code: 'EBUSY' }));
    const { files, ...more } = windows();
    await leaveHome(paths, all, { ...more, files: { ...files, rename }, limitMilliseconds: 50 });
    expect(logged).toEqual([expect.objectContaining({ program: paths.helper })]);
  });

  test.each([
    ['has ended', 2, false],
    ['runs on', Number.POSITIVE_INFINITY, true],
  ])('a program outside the home that %s: its place on the list', async (_, tries, stays) => {
    const folder = `${home}-apps`;
    const aside = join(folder, 'lanyard.exe.old-0a1b2c3d');
    mkdirSync(folder);
    writeFileSync(aside, '');
    held.set(aside, tries);
    await leaveHome(
      paths,
      { ...all, aside: [aside], folders: [folder] },
      { ...windows(), limitMilliseconds: 50 },
    );
    expect([aside, folder, paths.installed].map(existsSync)).toEqual([stays, stays, stays]);
    expect(logged).toEqual(stays ? [expect.objectContaining({ program: aside })] : []);
    rmSync(folder, { recursive: true, force: true });
  });
});

describe('Chromium’s folder, once the app has ended', () => {
  let paths: Paths;
  let isReleased: boolean;
  const acquireLock = (path: string) => {
    writeFileSync(path, '');
    return {
      release: () => {
        isReleased = true;
      },
    };
  };

  beforeEach(() => {
    paths = resolvePaths({ LANYARD_HOME: home }, process.platform);
    isReleased = false;
    mkdirSync(paths.desktop);
    writeFileSync(join(paths.desktop, 'Preferences'), '{}');
  });

  test('goes under the lock, and the home with it', async () => {
    await leaveDesktop(paths, acquireLock);
    expect([existsSync(home), isReleased]).toEqual([false, true]);
  });

  test('alone, where the home has more', async () => {
    writeFileSync(paths.config, '');
    await leaveDesktop(paths, acquireLock);
    expect(readdirSync(home)).toEqual(['config.yaml']);
  });

  test.each<[string, () => typeof acquireLock | (() => null)]>([
    ['a broker runs', () => () => null],
    [
      'there is a vault',
      () => {
        writeFileSync(paths.vault, '');
        return acquireLock;
      },
    ],
    [
      'a kubeconfig still names the helper',
      () => {
        mkdirSync(dirname(paths.helper));
        writeFileSync(paths.helper, '');
        return acquireLock;
      },
    ],
  ])('stays where %s', async (_, locking) => {
    await leaveDesktop(paths, locking());
    expect(readdirSync(paths.desktop)).toEqual(['Preferences']);
  });

  test('is nothing where it or the home is gone', async () => {
    rmSync(home, { recursive: true });
    await leaveDesktop(paths, acquireLock);
    expect(existsSync(home)).toBe(false);
  });
});

test('elsewhere all goes under the lock', async () => {
  const paths = resolvePaths({ LANYARD_HOME: home }, process.platform);
  writeFileSync(paths.lock, '');
  const leaving = { helper: true, vault: true, config: true, aside: [], folders: [], list: true };
  await leaveHome(paths, leaving, { log: silentLog, platform: 'linux' });
  expect(existsSync(home)).toBe(false);
});
