import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { createCa } from '../../test/support/certificates.ts';
import { ManualClock } from '../../test/support/manual-clock.ts';
import { modeOf, withoutLinks } from '../../test/support/system.ts';
import { folderForTest } from '../../test/support/temporary-folder.ts';
import type { Disposable } from '../base/disposables.ts';
import type { ConfigStore } from '../ports/config-store.ts';
import { silentLog } from '../ports/log.ts';
import { type ConfigStoreOptions, createConfigStore } from './store.ts';

let folder: string;
let file: string;
let ca: string;
let otherCa: string;
const opened: Disposable[] = [];

beforeAll(async () => {
  const made = await Promise.all([createCa('one'), createCa('two')]);
  [ca, otherCa] = [made[0].certificatePem, made[1].certificatePem];
});
beforeEach(() => {
  folder = folderForTest();
  file = join(folder, 'config.yaml');
});
afterEach(() => Promise.all(opened.splice(0).map((each) => each.dispose())));

async function openStore(options: Partial<ConfigStoreOptions> = {}): Promise<ConfigStore & Disposable> {
  const store = await createConfigStore({ file, log: silentLog, debounceMilliseconds: 5, ...options });
  opened.push(store);
  return store;
}

const open = openStore;

const accountsOf = (store: ConfigStore) => [...store.current().accounts.keys()];
const withAccounts = (...names: string[]) =>
  `version: 1\naccounts: { ${names.map((name) => `${name}: { staticToken: {} }`).join(', ')} }\n`;
const cluster = { server: 'https://h', account: 'a' };

/** Waits until the store reports a change and `holds` is true. */
async function until(store: ConfigStore, holds: () => boolean): Promise<void> {
  await new Promise<void>((resolve) => {
    const listening = store.onChange(() => holds() && resolve());
    opened.push(listening);
    if (holds()) {
      resolve();
    }
  });
}

test('a missing file is an empty config without problems', async () => {
  const store = await open();
  expect([accountsOf(store), store.problems()]).toEqual([[], []]);
});

describe('a change of the file, seen by the watcher alone,', () => {
  const open = (options: Partial<ConfigStoreOptions> = {}) =>
    openStore({ pollMilliseconds: 3_600_000, ...options });

  test('is active when it is good', async () => {
    writeFileSync(file, withAccounts('a'));
    const store = await open();
    writeFileSync(file, withAccounts('a', 'b'));
    await until(store, () => accountsOf(store).includes('b'));
  });

  test('is active when it is of a setting alone', async () => {
    writeFileSync(file, withAccounts('a'));
    const store = await open();
    writeFileSync(file, `${withAccounts('a')}lock: { afterIdle: 15m }\n`);
    await until(store, () => store.current().settings.lock.afterIdle === '15m');
  });

  test('keeps the old one active and says so when it is bad', async () => {
    writeFileSync(file, withAccounts('a'));
    const log = { ...silentLog, warn: vi.fn() };
    const store = await open({ log });
    const before = store.current();
    writeFileSync(file, `${withAccounts('b')}clusters: { p: { server: x, account: b } }\n`);
    await until(store, () => store.problems().length > 0);
    expect(store.current()).toBe(before);
    expect(store.problems()).toMatchObject([{ severity: 'error', line: 3, column: 26 }]);
    expect(log.warn).toHaveBeenCalledWith('config.keptOld', { file });
    writeFileSync(file, withAccounts('b'));
    await until(store, () => store.problems().length === 0);
    expect(accountsOf(store)).toEqual(['b']);
  });

  test('counts when the file is replaced by a rename, again and again', async () => {
    writeFileSync(file, withAccounts('a'));
    const store = await open();
    for (const name of ['b', 'c', 'd']) {
      writeFileSync(join(folder, 'new'), withAccounts(name));
      renameSync(join(folder, 'new'), file);
      await until(store, () => accountsOf(store)[0] === name);
    }
  });

  test('counts when the file is first made', async () => {
    const store = await open();
    writeFileSync(file, withAccounts('a'));
    await until(store, () => accountsOf(store).length === 1);
  });

  test.skipIf(withoutLinks)('counts when the file is a link and its target changes', async () => {
    mkdirSync(join(folder, 'dotfiles'));
    writeFileSync(join(folder, 'dotfiles', 'real.yaml'), withAccounts('a'));
    symlinkSync('dotfiles/real.yaml', file);
    const store = await open();
    writeFileSync(join(folder, 'dotfiles', 'real.yaml'), withAccounts('b'));
    await until(store, () => accountsOf(store)[0] === 'b');
  });

  test('counts when a CA file changes', async () => {
    writeFileSync(join(folder, 'ca.pem'), ca);
    const clusters = { p: { ...cluster, certificateAuthority: 'ca.pem' } };
    writeFileSync(file, JSON.stringify({ version: 1, accounts: { a: { staticToken: {} } }, clusters }));
    const store = await open();
    const pem = () => store.current().clusters.get('p')?.certificateAuthorityPem;
    const before = pem();
    writeFileSync(join(folder, 'ca.pem'), otherCa);
    await until(store, () => pem() !== before);
    writeFileSync(join(folder, 'ca.pem'), 'broken');
    await until(store, () => store.problems().length > 0);
    writeFileSync(join(folder, 'ca.pem'), ca);
    await until(store, () => pem() === before);
  });
});

describe('with a clock that stands still, so that the watcher’s word is not heard,', () => {
  test('a poll sees the change, and one without a change reads nothing again', async () => {
    writeFileSync(file, withAccounts('a'));
    const clock = new ManualClock();
    const store = await open({ clock, debounceMilliseconds: 1_000_000 });
    const before = store.current();
    clock.advance(2000);
    await store.reload();
    expect(store.current()).toBe(before);
    writeFileSync(file, withAccounts('b', 'c'));
    clock.advance(2000);
    await until(store, () => accountsOf(store).length === 2);
  });

  test('a file that is gone for a moment is not an empty config; one that stays away is', async () => {
    writeFileSync(file, withAccounts('a'));
    const clock = new ManualClock();
    const log = { ...silentLog, debug: vi.fn() };
    const store = await open({ clock, log });
    unlinkSync(file);
    await vi.waitUntil(() => clock.pending > 1, { timeout: 20_000 }); // the watcher has spoken
    clock.advance(100);
    await vi.waitUntil(() => log.debug.mock.calls.length > 0, { timeout: 20_000 });
    expect(accountsOf(store)).toEqual(['a']);
    clock.advance(2000);
    await until(store, () => accountsOf(store).length === 0);
  });
});

test('listeners are told of changes only, and no more after they have left', async () => {
  writeFileSync(file, withAccounts('a'));
  const store = await open();
  const listener = vi.fn();
  const listening = store.onChange(listener);
  await store.reload();
  expect(listener).toHaveBeenCalledTimes(0);
  await store.edit([{ kind: 'set', what: 'account', name: 'b', value: { staticToken: {} } }]);
  expect(listener).toHaveBeenCalledTimes(1);
  listening.dispose();
  await store.edit([{ kind: 'remove', what: 'account', name: 'b' }]);
  expect(listener).toHaveBeenCalledTimes(1);
});

test('what was given up holds no process open and hears nothing more', async () => {
  const clock = new ManualClock();
  const store = await open({ clock });
  expect(clock.pending).toBe(1);
  await store.dispose();
  expect(clock.pending).toBe(0);
});

describe('an edit', () => {
  test('is active and on disk when it returns', async () => {
    writeFileSync(file, '# mine\nversion: 1\naccounts:\n  a: { staticToken: {} } # keep\n');
    const store = await open();
    await store.edit([{ kind: 'set', what: 'cluster', name: 'p', value: cluster }]);
    expect(store.current().clusters.get('p')?.config).toMatchObject(cluster);
    const text = readFileSync(file, 'utf8');
    expect(text).toContain('# mine');
    expect(text).toContain('# keep');
    expect(text).toContain('clusters:\n  p:\n    server: https://h\n');
  });

  test('makes a first file that says what it is, with its JSON Schema beside', async () => {
    file = join(folder, 'not', 'yet', 'config.yaml');
    const store = await open();
    await store.edit([{ kind: 'set', what: 'account', name: 'a', value: { staticToken: {} } }]);
    const [first, second] = readFileSync(file, 'utf8').split('\n');
    expect(first).toMatch(/^# Lanyard/);
    expect(second).toBe('# yaml-language-server: $schema=./config.schema.json');
    expect(JSON.parse(readFileSync(join(folder, 'not', 'yet', 'config.schema.json'), 'utf8')).title).toBe(
      'Lanyard config.yaml',
    );
    expect(modeOf(file)).toBe(0o600);
    expect(modeOf(join(folder, 'not')) & 0o077).toBe(0);
  });

  test.skipIf(withoutLinks)('keeps the mode of the file and the link to it', async () => {
    mkdirSync(join(folder, 'dotfiles'));
    const real = join(folder, 'dotfiles', 'real.yaml');
    writeFileSync(real, withAccounts('a'));
    chmodSync(real, 0o644);
    symlinkSync('dotfiles/real.yaml', file);
    const store = await open();
    await store.edit([{ kind: 'set', what: 'cluster', name: 'p', value: cluster }]);
    expect(readlinkSync(file)).toBe('dotfiles/real.yaml');
    expect(readFileSync(real, 'utf8')).toContain('https://h');
    expect(modeOf(real)).toBe(0o644);
  });

  test('that would not be valid is refused with what is wrong, and changes nothing', async () => {
    writeFileSync(file, withAccounts('a'));
    const store = await open();
    const before = [readFileSync(file, 'utf8'), store.current()];
    await expect(
      store.edit([
        { kind: 'set', what: 'cluster', name: 'p', value: { server: 'nonsense', account: 'nobody' } },
      ]),
    ).rejects.toMatchObject({
      code: 'config.invalid',
      reason: 'usage',
      hint: expect.stringMatching(/clusters\.p\.server: .*\n.*no account nobody/),
    });
    expect([readFileSync(file, 'utf8'), store.current()]).toEqual(before);
    expect(store.problems()).toEqual([]);
  });

  test('of a file with errors is refused, and names them', async () => {
    writeFileSync(file, 'version: 1\naccounts: []\n');
    const store = await open();
    await expect(
      store.edit([{ kind: 'set', what: 'account', name: 'a', value: { staticToken: {} } }]),
    ).rejects.toMatchObject({ code: 'config.invalid', hint: expect.stringContaining('config.yaml:2:11') });
    expect(readFileSync(file, 'utf8')).toBe('version: 1\naccounts: []\n');
  });

  test('starts from what is on disk, also before the change was noticed', async () => {
    writeFileSync(file, withAccounts('a'));
    const store = await open({ clock: new ManualClock() });
    writeFileSync(file, withAccounts('a', 'b'));
    await store.edit([{ kind: 'set', what: 'account', name: 'c', value: { staticToken: {} } }]);
    expect(accountsOf(store)).toEqual(['a', 'b', 'c']);
  });

  test('that another program’s write crosses is made on top of that', async () => {
    writeFileSync(file, withAccounts('a'));
    const store = await open({ clock: new ManualClock() });
    let crossed = 0;
    const value = {
      // Read in the middle of the edit: after the file was read and before it is replaced.
      get staticToken() {
        if (crossed++ === 0) {
          writeFileSync(file, withAccounts('a', 'crossing'));
        }
        return {};
      },
    };
    await store.edit([{ kind: 'set', what: 'account', name: 'b', value }]);
    expect(accountsOf(store)).toEqual(['a', 'crossing', 'b']);
  });

  test('many at a time all arrive', async () => {
    const store = await open();
    const names = Array.from({ length: 20 }, (_, index) => `a${index}`);
    await Promise.all(
      names.map((name) => store.edit([{ kind: 'set', what: 'account', name, value: { staticToken: {} } }])),
    );
    expect(accountsOf(store)).toEqual(names);
    const other = await open();
    expect(accountsOf(other)).toEqual(names);
  });

  test('that would make the file too large to be read again is refused', async () => {
    writeFileSync(file, withAccounts('a'));
    const store = await open();
    // Each entry alone is valid.
    const certificateAuthorityData = Buffer.from(ca + ' '.repeat(700_000)).toString('base64');
    const edits = Array.from({ length: 10 }, (_, index) => ({
      kind: 'set' as const,
      what: 'cluster' as const,
      name: `c${index}`,
      value: { ...cluster, certificateAuthorityData },
    }));
    await expect(store.edit(edits)).rejects.toMatchObject({ code: 'config.tooLarge', reason: 'usage' });
    expect(readFileSync(file, 'utf8')).toBe(withAccounts('a'));
    await store.edit(edits.slice(0, 5));
    await store.reload();
    expect([store.problems(), store.current().clusters.size]).toEqual([[], 5]);
  });

  test('of an entry that others stand on is refused', async () => {
    writeFileSync(file, 'version: 1\naccounts: { a: &a { staticToken: {} }, b: *a }\n');
    const store = await open();
    await expect(store.edit([{ kind: 'remove', what: 'account', name: 'a' }])).rejects.toMatchObject({
      code: 'config.entangled',
      reason: 'usage',
    });
  });
});

test('an equal file keeps the same objects, and an edit those of all other entries', async () => {
  writeFileSync(file, withAccounts('a', 'b'));
  const store = await open();
  const before = store.current();
  writeFileSync(file, `# mine\n${withAccounts('a', 'b')}`);
  await store.reload();
  expect(store.current()).toBe(before);
  await store.edit([{ kind: 'set', what: 'account', name: 'a', value: { staticToken: { file: '/t' } } }]);
  expect(store.current().accounts.get('b')).toBe(before.accounts.get('b'));
  expect(store.current().accounts.get('a')).not.toBe(before.accounts.get('a'));
});

test('a file that can’t be taken as a config is a problem, not a crash', async () => {
  mkdirSync(file);
  const store = await open();
  expect(store.problems()).toMatchObject([{ line: null, message: expect.stringContaining('not a file') }]);
  rmSync(file, { recursive: true });
  writeFileSync(file, Buffer.from([0x76, 0xff, 0xfe]));
  await store.reload();
  expect(store.problems()).toMatchObject([{ message: expect.stringContaining('not UTF-8') }]);
  writeFileSync(file, `version: 1\n${'#'.repeat(8 * 1024 * 1024)}`);
  await store.reload();
  expect(store.problems()).toMatchObject([{ message: expect.stringContaining('larger than') }]);
  await expect(store.edit([{ kind: 'remove', what: 'account', name: 'a' }])).rejects.toMatchObject({
    code: 'config.invalid',
  });
  expect(existsSync(file)).toBe(true);
});
