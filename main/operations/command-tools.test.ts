import { existsSync } from 'node:fs';
import { lstat, mkdir, readFile, readlink, symlink, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { onWindows } from '../../test/support/system.ts';
import { folderForTest } from '../../test/support/temporary-folder.ts';
import { createLedger } from '../installed/ledger.ts';
import { packagedFolder } from '../installed/packaged.ts';
import { place } from '../installed/place.ts';
import { copyOf } from '../installed/programs.ts';
import { removeEntry } from '../installed/remove-entry.ts';
import { silentLog } from '../ports/log.ts';
import { createCommandTools } from './command-tools.ts';

let folder: string;
/** The user’s home folder, and Lanyard’s present helper, completion and page. */
let home: string;
let helper: string;
let page: string;
let bootTime = 0;

beforeEach(async () => {
  folder = folderForTest();
  home = join(folder, 'me');
  await mkdir(home);
  helper = await helperAt('v1', 'program 1');
  page = 'page 1';
});

async function helperAt(name: string, content: string): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, content, { mode: 0o755 });
  return path;
}

const openLedger = () => createLedger({ file: join(folder, 'installed.json'), alone: (work) => work() });

/** A broker of this home that starts: `HOME` is all that it is told. */
function tools(change: Partial<Parameters<typeof createCommandTools>[0]> = {}) {
  return createCommandTools({
    platform: 'linux',
    environment: { HOME: home, SHELL: '/bin/zsh', PATH: '' },
    helper,
    packaged: async () => null,
    readHelper: () => readFile(helper),
    completion: async (shell) => `${shell} ${page}`,
    manPage: async () => Buffer.from(page),
    ledger: openLedger(),
    now: () => 7,
    clock: { boottime: () => bootTime },
    log: silentLog,
    recorder: { record: () => undefined },
    ...change,
  });
}

const bin = (name: string) => join(home, '.local/bin', name);
const names = ['lanyard', 'kubectl-lanyard', 'kubectl_complete-lanyard', 'docker-credential-lanyard'];
const zsh = () => join(home, '.local/share/zsh/site-functions/_lanyard');
const manual = () => join(home, '.local/share/man/man1/lanyard.1');

// Links in the folders of Unix. What Windows has in their place: install-plan.test.ts, install-names.test.ts.
describe.skipIf(onWindows)('the command line tools', () => {
  it('are installed, reported, and removed alone, with the folders that were made for them', async () => {
    const mine = tools();
    let told = 0;
    mine.onChange(() => (told += 1));
    expect(await mine.view()).toMatchObject({
      kind: 'none',
      folder: join(home, '.local/bin'),
      isOnPath: false,
    });
    await mine.install({});
    expect(await Promise.all(names.map((name) => readlink(bin(name))))).toEqual(names.map(() => helper));
    expect(await mine.view()).toMatchObject({ kind: 'installed', trouble: [] });
    expect(await readFile(zsh(), 'utf8')).toBe('zsh page 1');
    await mine.remove();
    expect([told, existsSync(join(home, '.local'))]).toEqual([2, false]);
    expect(await mine.view()).toMatchObject({ kind: 'none' });
  });

  it('are reported where a package installed them, and installed besides only on request', async () => {
    const link = join(folder, 'usr-bin-lanyard');
    await symlink(helper, link);
    const mine = tools({ packaged: () => packagedFolder(helper, link) });
    expect(await mine.view()).toEqual({
      kind: 'packaged',
      folder,
      isOnPath: true,
      pathLine: null,
      trouble: [],
    });
    expect(await packagedFolder(await helperAt('another', 'program 1'), link)).toBeNull();
    expect(await packagedFolder(helper, join(folder, 'none'))).toBeNull();
    await mine.install({});
    expect(await mine.view()).toMatchObject({ kind: 'installed' });
  });

  it('are not made again by a repair while they are removed', async () => {
    const ledger = openLedger();
    const first = tools({ ledger });
    await first.install({});
    helper = await helperAt('v2', 'program 2');
    const second = tools({ ledger });
    // As an uninstall that is asked for while the broker still starts.
    const repaired = second.repair();
    await second.alone(async () => {
      for (const entry of [...(await ledger.entries())].reverse()) {
        await removeEntry(entry, ledger);
      }
    });
    await repaired;
    expect([existsSync(bin('lanyard')), await ledger.entries()]).toEqual([false, []]);
  });

  it('leave what else Lanyard put outside its home', async () => {
    const ledger = openLedger();
    await ledger.list({ kind: 'unit', path: '/x/lanyard.service', at: 1, made: ['0'.repeat(64)] });
    await ledger.list({ kind: 'link', path: '/x/default.target.wants/lanyard.service', at: 1, made: ['/x'] });
    await ledger.list({ kind: 'folder', path: '/x', at: 1 });
    const mine = tools();
    await mine.install({});
    await mine.remove();
    expect((await ledger.entries()).map(({ kind }) => kind)).toEqual(['unit', 'link', 'folder']);
  });

  it('go where they were put before', async () => {
    const mine = tools();
    await mine.install({ into: join(home, 'mine') });
    const again = await mine.install({});
    expect([again.places.bin, again.items.every(({ outcome }) => outcome.kind === 'present')]).toEqual([
      join(home, 'mine'),
      true,
    ]);
    expect((await mine.view())?.folder).toBe(join(home, 'mine'));
  });

  it('say what is gone and what is in their place, and put right what they can', async () => {
    const mine = tools();
    await mine.install({});
    await mine.view();
    await unlink(bin('lanyard'));
    await unlink(bin('kubectl-lanyard'));
    await writeFile(bin('kubectl-lanyard'), 'mine');
    expect((await mine.view())?.kind).toBe('installed');
    bootTime += 10_001;
    expect(await mine.view()).toMatchObject({
      kind: 'damaged',
      trouble: [
        { path: bin('lanyard'), what: 'it is missing' },
        { path: bin('kubectl-lanyard'), what: 'it was changed since Lanyard made it' },
      ],
    });
    const { items } = await mine.install({});
    expect(items.filter(({ outcome }) => outcome.kind === 'made')).toMatchObject([{ path: bin('lanyard') }]);
    expect(await readFile(bin('kubectl-lanyard'), 'utf8')).toBe('mine');
    await mine.remove();
    expect(await readFile(bin('kubectl-lanyard'), 'utf8')).toBe('mine');
  });

  it('have no folder where the environment doesn’t name the user', async () => {
    expect(await tools({ environment: {} }).view()).toBeNull();
  });
});

describe.skipIf(onWindows)('after an update', () => {
  /** What the version before installed. */
  async function installed(change: Partial<Parameters<typeof createCommandTools>[0]> = {}) {
    await tools(change).install({});
    const before = helper;
    helper = await helperAt('v2', 'program 2');
    page = 'page 2';
    await unlink(before);
  }

  it('links that lead nowhere, completions and the page are made anew', async () => {
    await installed();
    await tools().repair();
    expect(await Promise.all(names.map((name) => readlink(bin(name))))).toEqual(names.map(() => helper));
    expect([await readFile(zsh(), 'utf8'), await readFile(manual(), 'utf8')]).toEqual([
      'zsh page 2',
      'page 2',
    ]);
  });

  it('what the user changed or removed is left', async () => {
    await installed();
    await unlink(bin('lanyard'));
    await unlink(bin('kubectl-lanyard'));
    await symlink('/mine', bin('kubectl-lanyard'));
    await writeFile(manual(), 'mine');
    await tools().repair();
    expect(existsSync(bin('lanyard'))).toBe(false);
    expect(await readlink(bin('kubectl-lanyard'))).toBe('/mine');
    expect(await readFile(manual(), 'utf8')).toBe('mine');
    expect(await readlink(bin('kubectl_complete-lanyard'))).toBe(helper);
  });

  it('a name that the helper has since is put beside the others, once', async () => {
    await installed();
    const ledger = openLedger();
    await unlink(bin('docker-credential-lanyard'));
    await ledger.drop(bin('docker-credential-lanyard'));
    await tools().repair();
    expect(await readlink(bin('docker-credential-lanyard'))).toBe(helper);
    expect(await tools().view()).toMatchObject({ kind: 'installed' });
    await unlink(bin('docker-credential-lanyard'));
    await tools().repair();
    expect(existsSync(bin('docker-credential-lanyard'))).toBe(false);
    await tools().remove();
    expect(existsSync(join(home, '.local'))).toBe(false);
  });

  it('no name is added where the programs were removed by hand, or another program has it', async () => {
    await installed();
    const ledger = openLedger();
    await unlink(bin('docker-credential-lanyard'));
    await ledger.drop(bin('docker-credential-lanyard'));
    await writeFile(bin('docker-credential-lanyard'), 'mine');
    await tools().repair();
    expect(await readFile(bin('docker-credential-lanyard'), 'utf8')).toBe('mine');
    await Promise.all(names.map((name) => unlink(bin(name))));
    await tools().repair();
    expect(names.filter((name) => existsSync(bin(name)))).toEqual([]);
  });

  it('a link that was being made anew by one that was killed is made', async () => {
    await installed();
    const ledger = openLedger();
    await ledger.list({ kind: 'link', path: bin('lanyard'), at: 7, made: [join(folder, 'v1'), helper] });
    await unlink(bin('lanyard'));
    await tools().repair();
    expect(await readlink(bin('lanyard'))).toBe(helper);
  });

  it('a copy of the older helper becomes one of the newer, and a program still', async () => {
    // As on a file system without links: the list knows copies, and copies they stay.
    const ledger = openLedger();
    const wanted = await copyOf(bin('lanyard'), { readHelper: () => readFile(helper) });
    await place(wanted, { ledger, now: () => 7 });
    await installed();
    await tools().repair();
    expect([await readFile(bin('lanyard'), 'utf8'), (await lstat(bin('lanyard'))).mode & 0o777]).toEqual([
      'program 2',
      0o755,
    ]);
    await tools().remove();
    expect(existsSync(bin('lanyard'))).toBe(false);
  });

  it('nothing is made where nothing was', async () => {
    await tools().repair();
    expect(existsSync(join(home, '.local'))).toBe(false);
  });

  it('a list that can’t be read ends no start, and is told', async () => {
    await installed();
    await writeFile(join(folder, 'installed.json'), 'no list');
    await tools().repair();
    expect(await readlink(bin('lanyard'))).toBe(join(folder, 'v1'));
    expect(await tools().view()).toMatchObject({
      kind: 'damaged',
      trouble: [{ path: join(folder, 'installed.json'), what: expect.stringContaining('can’t be told') }],
    });
  });
});
